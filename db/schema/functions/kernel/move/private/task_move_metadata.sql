create or replace function tasker.task_move_metadata(
  p_position     integer,
  p_start_state  tasker.task_state,
  p_event        text,
  p_moved        integer[],
  p_enqueued     integer[],
  p_failed       integer,
  p_error        text
)
  returns jsonb
  language sql
  stable
  parallel safe
begin atomic
  -- The function has no query and is stable like jsonb_build_object, so that it is inlined. A call would cost
  -- more than the function's work.
  select case
    -- The engine never stops in these states, so the processor that left the task there is gone.
    when p_position = 1 and p_start_state in ('initializing', 'enqueuing_steps', 'evaluating_results')
      then '{"event": "ProcessorCrashed"}'::jsonb
    when p_event in ('StepCompleted', 'StepFailed') and p_moved is not null
      then jsonb_build_object('count', cardinality(p_moved), 'step_nos', p_moved[:100])
    when p_event = 'ReadyStepsFound'
      then jsonb_build_object('count', cardinality(p_enqueued))
    when p_event = 'StepsEnqueued'
      then jsonb_build_object('count', cardinality(p_enqueued), 'step_nos', p_enqueued[:100])
    when p_event = 'GiveUp'
      then '{"on_failure": "fail"}'::jsonb
    when p_event = 'PermanentFailure'
      then jsonb_strip_nulls(jsonb_build_object('count', p_failed, 'error', left(p_error, 1000)))
  end;
end;

comment on function tasker.task_move_metadata is
$$Returns the log's metadata of a task's event: how many steps became ready, which were enqueued (p_enqueued), which ended and caused the event (p_moved), how many have failed and with which error. Lists at most a hundred step numbers.$$;
