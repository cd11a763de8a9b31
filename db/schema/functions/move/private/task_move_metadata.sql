create or replace function tasker.task_move_metadata(p_position integer, p_start_state tasker.task_state)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  -- Found in a state that the engine passes through without a stop: its processor is gone.
  select case
    when p_position = 1 and p_start_state in ('initializing', 'enqueuing_steps', 'evaluating_results')
      then '{"event": "ProcessorCrashed"}'::jsonb
  end;
end;

comment on function tasker.task_move_metadata(integer, tasker.task_state) is
$$What the log keeps with a transition that an evaluation makes.$$;

revoke all on function tasker.task_move_metadata(integer, tasker.task_state) from public;
