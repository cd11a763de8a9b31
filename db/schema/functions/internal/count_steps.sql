create or replace function tasker.count_steps(p_task_uuid uuid)
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
  update tasker.tasks as t
     set total_steps    = c.total,
         open_steps     = c.open,
         active_steps   = c.active,
         retrying_steps = c.retrying,
         failed_steps   = c.failed,
         updated_at     = tasker.clock()
    from (
      select
        count(*)::integer as total,
        count(*) filter (where not d.terminal)::integer as open,
        count(*) filter (where d.in_processing_pipeline)::integer as active,
        count(*) filter (where s.state = 'waiting_for_retry')::integer as retrying,
        count(*) filter (where d.error)::integer as failed
      from tasker.workflow_steps as s
      join tasker.step_states as d
        on d.state = s.state
      where s.task_uuid = p_task_uuid
    ) as c
   where t.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.count_steps(uuid) is
$$Counts a task's steps anew. For calls that touch many of them; single transitions add and subtract. The caller holds the task's lock.$$;

revoke all on function tasker.count_steps(uuid) from public;
