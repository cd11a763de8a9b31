create or replace function tasklib.name_quotas(
  p_names  text[],
  p_limit  integer,
  p_now    timestamptz
)
  returns setof tasklib.name_quotas
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_locked text[];
begin
  -- Every claim of a limited name holds the name's row until it commits. So after this lock, the next statement sees the
  -- changes of all earlier claims.
  select array_agg(l.name)
    into v_locked
    from (
      select k.name
        from tasklib.task_limits as k
        join unnest(p_names) as u (name)
          on u.name = k.name
       order by k.name
         for update of k
    ) as l;

  return query
  select r.name,
         least(
           p_limit,
           r.concurrency_limit - c.running,
           floor(least(r.rate_limit, l.tokens + extract(epoch from p_now - l.refilled_at) * r.rate_limit / r.rate_period_seconds)),
           case
             when l.opened_until is null then p_limit
             when l.opened_until > p_now or c.running > 0 then 0
             else 1
           end
         )::integer,
         -- If the name's row was inserted after this call locked the rows, the limit keys take turns from the next claim on.
         r.keyed and r.name = any (v_locked),
         r.key_rate_limit is not null
    from unnest(p_names) as u (name)
    join tasklib.registered_tasks as r
      on r.name = u.name
     and r.paused_at is null
    left join tasklib.task_limits as l
      on l.name = r.name
     and r.limited
   cross join lateral (
     select case when r.concurrency_limit is not null or l.opened_until is not null then (
       select count(*)::integer
         from tasklib.tasks as t
        where t.name = r.name
          and t.locked_until is not null
     ) else 0 end as running
     offset 0
   ) as c;
end;
$$;

comment on function tasklib.name_quotas is
$$Returns a row for each of these names that is not paused: how many of its tasks its limits and its circuit breaker allow to claim now, whether its limit keys take turns, and whether its limit keys have a rate. Locks the rows of limited names in tasklib.task_limits, in the order of the names.$$;
