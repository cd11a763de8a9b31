create or replace function tasker.audit_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select l.task_uuid, l.step_no, l.sort_key, 'workflow_step_transition_log', 'records a result that has no audit row'
    from tasker.workflow_step_transition_log as l
   where l.task_uuid >= p_from
     and l.task_uuid < p_to
     and l.event in ('EnqueueForOrchestration', 'CompleteManually')
     and not exists (
       select
         from tasker.workflow_step_result_audit as a
        where a.task_uuid = l.task_uuid
          and a.step_no = l.step_no
          and a.sort_key = l.sort_key
     )
  union all
  select a.task_uuid, a.step_no, a.sort_key, 'workflow_step_result_audit',
         case
           when l.task_uuid is null then 'is of a result that was never recorded'
           when a.success <> (l.to_state <> 'enqueued_as_error_for_orchestration') then 'says another outcome than the log'
           when a.worker_uuid is distinct from l.worker_uuid then 'names another worker than the log'
           when a.execution_time_ms is distinct from l.execution_time_ms then 'gives another time of execution than the log'
           else 'was recorded at another time than the log says'
         end
    from tasker.workflow_step_result_audit as a
    left join tasker.workflow_step_transition_log as l
      on l.task_uuid = a.task_uuid
     and l.step_no = a.step_no
     and l.sort_key = a.sort_key
     and l.event in ('EnqueueForOrchestration', 'CompleteManually')
   where a.task_uuid >= p_from
     and a.task_uuid < p_to
     and (
       l.task_uuid is null
       or a.success <> (l.to_state <> 'enqueued_as_error_for_orchestration')
       or a.worker_uuid is distinct from l.worker_uuid
       or a.execution_time_ms is distinct from l.execution_time_ms
       or a.recorded_at <> l.created_at
     );
end;
$$;

comment on function tasker.audit_problems(uuid, uuid) is
$$Results of some tasks without an audit row, and audit rows that do not say what the log says.$$;

revoke all on function tasker.audit_problems(uuid, uuid) from public;
