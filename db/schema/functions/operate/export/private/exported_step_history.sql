create or replace function tasker.exported_step_history(p_task_uuid uuid, p_step_no integer, p_payloads boolean)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select jsonb_agg(
          jsonb_strip_nulls(jsonb_build_object(
            'at', l.created_at, 'event', l.event, 'from', l.from_state, 'to', l.to_state,
            'claim_no', nullif(l.claim_no, 0), 'worker_uuid', l.worker_uuid, 'actor', l.actor, 'execution_time_ms', l.execution_time_ms
          ))
          || case when p_payloads then jsonb_strip_nulls(jsonb_build_object('reason', l.reason, 'metadata', nullif(l.metadata, '{}'))) else '{}' end
          order by l.sort_key
        )
        from tasker.workflow_step_transitions as l
       where l.task_uuid = p_task_uuid
         and l.step_no = p_step_no
         and l.sort_key > 0
    ),
    '[]'
  );
end;
$$;

comment on function tasker.exported_step_history is
$$Returns the transitions of a step for an export, in order. Without p_payloads, leaves out reasons and metadata,
because they have the texts of errors.$$;
