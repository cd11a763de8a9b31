create or replace function tasklib.count_failures(
  p_names  text[],
  p_now    timestamptz
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  -- A failure after opened_until is the failure of the trial run, and opens the circuit breaker again.
  update tasklib.task_limits as l
     set failures     = l.failures + f.count,
         opened_until = case
           when l.opened_until > p_now then l.opened_until
           when l.opened_until is not null or l.failures + f.count >= r.breaker_failures
             then p_now + make_interval(secs => r.breaker_seconds)
         end
    from (
      select u.name, count(*)::integer as count
        from unnest(p_names) as u (name)
       group by u.name
       order by u.name
    ) as f
    join tasklib.registered_tasks as r
      on r.name = f.name
   where l.name = f.name
     and r.breaker_failures is not null;
end;
$$;

comment on function tasklib.count_failures is
$$Counts a failed run for each element of p_names, and opens the circuit breaker of each name that has reached breaker_failures.$$;
