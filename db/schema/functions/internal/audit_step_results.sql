create or replace function tasker.audit_step_results()
  returns trigger
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
  -- Partitions outside the span of these tasks are not opened.
  v_tasks uuid[] := array(
    select distinct n.task_uuid
      from new_rows as n
     where n.event in ('EnqueueForOrchestration', 'CompleteManually')
     order by n.task_uuid
  );
begin
  if v_tasks = '{}' then
    return null;
  end if;

  insert into tasker.workflow_step_result_audit (
    task_uuid, step_no, sort_key, recorded_at, worker_uuid, correlation_id, success, execution_time_ms
  )
  select
    n.task_uuid,
    n.step_no,
    n.sort_key,
    n.created_at,
    n.worker_uuid,
    t.correlation_id,
    n.to_state <> 'enqueued_as_error_for_orchestration',
    n.execution_time_ms
  from new_rows as n
  cross join lateral (
    select t.correlation_id
      from tasker.tasks as t
     where t.task_uuid = n.task_uuid
       and t.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
    offset 0
  ) as t
  where n.event in ('EnqueueForOrchestration', 'CompleteManually');
  return null;
end;
$$;

comment on function tasker.audit_step_results() is
$$Trigger function: writes the audit row of every result that is recorded, by whatever path it is recorded.$$;

revoke all on function tasker.audit_step_results() from public;
