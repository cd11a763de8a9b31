create or replace function tasker.ended_wait(
  p_task_uuid  uuid,
  p_step_no    integer,
  p_ended_by   text,
  p_outcome    text,
  p_detail     jsonb,
  p_reason     text,
  p_actor      text,
  p_function   boolean  default false
)
  returns tasker.step_moves
  language plpgsql
  immutable
as $$
declare
  v_move tasker.step_moves;
begin
  v_move.task_uuid := p_task_uuid;
  v_move.step_no := p_step_no;
  v_move.from_state := 'suspended';
  v_move.actor := p_actor;
  if p_function then
    v_move.event := 'Resume';
    v_move.to_state := 'enqueued';
    v_move.reason := p_reason;
    v_move.value := jsonb_build_object('by', p_ended_by) || coalesce(p_detail, '{}');
  elsif p_outcome = 'skip' then
    v_move.event := 'Skip';
    v_move.to_state := 'cancelled';
    v_move.reason := p_reason;
  elsif p_outcome = 'fail' then
    v_move.first_event := 'EnqueueForOrchestration';
    v_move.via_state := 'enqueued_as_error_for_orchestration';
    v_move.event := 'Fail';
    v_move.to_state := 'error';
    v_move.error := p_reason;
    v_move.metadata := jsonb_build_object('error', p_reason, 'permanent', true);
  else
    v_move.first_event := 'EnqueueForOrchestration';
    v_move.via_state := 'enqueued_for_orchestration';
    v_move.event := 'Complete';
    v_move.to_state := 'complete';
    v_move.reason := p_reason;
    v_move.result := jsonb_build_object('by', p_ended_by) || coalesce(p_detail, '{}');
  end if;
  return v_move;
end;
$$;

comment on function tasker.ended_wait is
$$Returns the move of a step whose wait has ended, by p_outcome: "complete", "fail" or "skip". The move records a result, as a worker does. The result names the alternative that ended the wait, and has p_detail. With p_function, the wait belongs to a handler, which continues with the value that ended the wait.$$;
