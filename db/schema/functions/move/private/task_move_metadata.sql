create or replace function tasker.task_move_metadata(
  p_task      tasker.task_facts,
  p_position  integer,
  p_event     text,
  p_moved     integer[],
  p_enqueued  integer[],
  p_error     text
)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select nullif(
    case
      when p_event in ('StepCompleted', 'StepFailed') then tasker.steps_metadata(p_task.task_uuid, p_moved)
      when p_event = 'ReadyStepsFound' then jsonb_build_object('count', cardinality(p_enqueued))
      when p_event = 'StepsEnqueued' then tasker.steps_metadata(p_task.task_uuid, p_enqueued)
      when p_event = 'PermanentFailure' then
        jsonb_build_object('count', p_task.failed_steps)
          || case when p_error is null then '{}' else jsonb_build_object('error', left(p_error, 1000)) end
      else '{}'
    end
    -- Found in a state that the engine passes through without a stop: its processor is gone.
    || case
      when p_position = 1 and p_task.state in ('initializing', 'enqueuing_steps', 'evaluating_results')
        then '{"event": "ProcessorCrashed"}'::jsonb
      else '{}'
    end,
    '{}'
  );
end;

comment on function tasker.task_move_metadata(tasker.task_facts, integer, text, integer[], integer[], text) is
$$The arguments of an event of a task, which the log keeps with it: how many steps became ready, which were enqueued (p_enqueued), which ended and brought the event (p_moved), how many have failed and with what. p_task has the counters as they are after the event, and the state before its path.$$;

revoke all on function tasker.task_move_metadata(tasker.task_facts, integer, text, integer[], integer[], text) from public;
