create or replace function tasker.exported_task(p_task_uuid uuid, p_payloads boolean, p_blank jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task tasker.task_details;
begin
  select t.* into strict v_task from tasker.get_task(p_task_uuid) as t;
  return jsonb_strip_nulls(jsonb_build_object(
      'task_uuid', v_task.task_uuid, 'state', v_task.state, 'complete', v_task.complete, 'priority', v_task.priority,
      'requested_at', v_task.requested_at, 'started_at', v_task.started_at, 'completed_at', v_task.completed_at,
      'deadline', v_task.deadline, 'correlation_id', v_task.correlation_id, 'parent_correlation_id', v_task.parent_correlation_id,
      'parent_step_uuid', v_task.parent_step_uuid, 'depth', v_task.depth
    ))
    || case
      when p_payloads then jsonb_strip_nulls(jsonb_build_object(
        'initiator', v_task.initiator, 'source_system', v_task.source_system, 'reason', v_task.reason, 'tags', v_task.tags, 'undo', v_task.undo
      ))
      else '{}'
    end
    || tasker.exported_value('context', v_task.context, p_payloads, p_blank)
    || tasker.exported_value('headers', v_task.headers, p_payloads, p_blank)
    || jsonb_build_object('history', coalesce(
      (
        select jsonb_agg(
            jsonb_strip_nulls(jsonb_build_object(
              'at', l.created_at, 'event', l.event, 'from', l.from_state, 'to', l.to_state, 'processor_uuid', l.processor_uuid, 'actor', l.actor
            ))
            || case when p_payloads then jsonb_strip_nulls(jsonb_build_object('reason', l.reason, 'metadata', nullif(l.metadata, '{}'))) else '{}' end
            order by l.sort_key
          )
          from tasker.task_transitions as l
         where l.task_uuid = p_task_uuid
           and l.sort_key > 0
      ),
      '[]'
    ));
end;
$$;

comment on function tasker.exported_task is
$$Returns the part of an export about the task itself, with its transitions.$$;
