create or replace function tasker.count_ended_tasks(p_since timestamptz, p_until timestamptz, p_settled boolean)
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
  insert into tasker.task_totals as o (
    partition_suffix, named_task_uuid, settled, started, completed, failed, cancelled, resolved, reset
  )
  select e.* from tasker.ended_tasks_between(p_since, p_until, p_settled) as e
  on conflict (partition_suffix, named_task_uuid, settled) do update
     set started   = o.started + excluded.started,
         completed = o.completed + excluded.completed,
         failed    = o.failed + excluded.failed,
         cancelled = o.cancelled + excluded.cancelled,
         resolved  = o.resolved + excluded.resolved,
         reset     = o.reset + excluded.reset;
end;
$$;

comment on function tasker.count_ended_tasks is
$$Adds the outcomes of tasks in a period to tasker.task_totals.$$;
