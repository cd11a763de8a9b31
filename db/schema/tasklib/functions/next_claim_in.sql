create or replace function tasklib.next_claim_in(p_names text[])
  returns double precision
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now timestamptz := tasklib.clock();
begin
  perform tasklib.check_may_run(p_names);
  return (
    select min(case
             when c.running >= r.concurrency_limit then 'infinity'
             when l.opened_until is not null and c.running > 0 then 'infinity'
             else greatest(
               0,
               extract(epoch from l.opened_until - v_now),
               (1 - a.tokens) * r.rate_period_seconds / r.rate_limit,
               case when not w.unkeyed then tasklib.key_opens_in(r.name, v_now) end
             )
           end::double precision)
      from unnest(p_names) as u (name)
      join tasklib.registered_tasks as r
        on r.name = u.name
       and r.limited
       and r.paused_at is null
      left join tasklib.task_limits as l
        on l.name = r.name
     cross join lateral (
       select least(r.rate_limit, l.tokens + extract(epoch from v_now - l.refilled_at) * r.rate_limit / r.rate_period_seconds) as tokens
     ) as a
     cross join lateral (
       select case when r.concurrency_limit is not null or l.opened_until is not null then (
         select count(*)::integer
           from tasklib.tasks as t
          where t.name = r.name
            and t.locked_until is not null
       ) end as running
       offset 0
     ) as c
     cross join lateral (
       select exists (
                select from tasklib.tasks as t where t.name = r.name and t.ready and t.limit_key is null
              ) as unkeyed,
              r.keyed and exists (
                select from tasklib.tasks as t where t.name = r.name and t.ready and t.limit_key is not null
              ) as keyed
       offset 0
     ) as w
     where w.unkeyed
        or w.keyed
  );
end;
$$;

comment on function tasklib.next_claim_in is
$$Returns the seconds until the limits of these names may allow a claim of another ready task. Returns 0 if they allow a claim now, infinity if a running task must end first, and null if no limited name has a ready task.

A worker calls this function after a claim that found fewer tasks than requested. Raises TK403 for a name that the caller may not run, TK404 for a name that is not registered.$$;

grant execute on function tasklib.next_claim_in to tasklib_worker;
