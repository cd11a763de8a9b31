create or replace function tasklib.charge_limits(
  p_names   text[],
  p_counts  integer[],
  p_now     timestamptz
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
  update tasklib.task_limits as l
     set tokens      = greatest(0, least(r.rate_limit, l.tokens + extract(epoch from p_now - l.refilled_at) * r.rate_limit
                                                                / r.rate_period_seconds) - u.count),
         refilled_at = p_now
    from unnest(p_names, p_counts) as u (name, count)
    join tasklib.registered_tasks as r
      on r.name = u.name
   where l.name = u.name
     and r.rate_limit is not null
     and u.count > 0;
end;
$$;

comment on function tasklib.charge_limits is
$$Subtracts p_counts claims from the remaining rates of these names. The caller holds the locks of the names' rows in tasklib.task_limits.$$;
