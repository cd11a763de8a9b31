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
  -- The function has no query, and is stable like jsonb_build_object, so that it is inlined. A call would cost more
  -- than the work of the function.
  select case
    -- The engine never stops in these states, so the processor that left the task in such a state no longer exists.
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
$$Returns the metadata for a task's event in the log: the number of steps that became ready, the numbers of the steps that were enqueued (p_enqueued) and of the steps whose end caused the event (p_moved), and the number of failed steps with an error. Lists at most a hundred step numbers.$$;
