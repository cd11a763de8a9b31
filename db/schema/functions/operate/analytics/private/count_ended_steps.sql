create or replace function tasker.count_ended_steps(p_since timestamptz, p_until timestamptz, p_settled boolean)
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
  insert into tasker.step_totals as o (
    partition_suffix, settled, complete, error, cancelled, resolved, retries, lost
  )
  select e.* from tasker.ended_steps_between(p_since, p_until, p_settled) as e
  on conflict (partition_suffix, settled) do update
     set complete  = o.complete + excluded.complete,
         error     = o.error + excluded.error,
         cancelled = o.cancelled + excluded.cancelled,
         resolved  = o.resolved + excluded.resolved,
         retries   = o.retries + excluded.retries,
         lost      = o.lost + excluded.lost;
end;
$$;

comment on function tasker.count_ended_steps is
$$Adds the outcomes of steps in a period to tasker.step_totals.$$;
