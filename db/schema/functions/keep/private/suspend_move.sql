create or replace function tasker.suspend_move(p_step tasker.workflow_steps, p_wait jsonb)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_move tasker.step_moves;
begin
  update tasker.workflow_steps as s
     set wait = p_wait
   where s.task_uuid = p_step.task_uuid
     and s.step_no = p_step.step_no;
  v_move.task_uuid := p_step.task_uuid;
  v_move.step_no := p_step.step_no;
  v_move.from_state := 'in_progress';
  v_move.held_claim_no := p_step.claim_no;
  v_move.event := 'Suspend';
  v_move.to_state := 'suspended';
  v_move.metadata := jsonb_build_object(
    'wait', p_wait - '{claim_no,since}'::text[]
  );
  return v_move;
end;
$$;

comment on function tasker.suspend_move(tasker.workflow_steps, jsonb) is
$$Writes what a running step's function waits for into its row, and returns the move that suspends it. The caller holds the locks of the task and the step.$$;

revoke all on function tasker.suspend_move(tasker.workflow_steps, jsonb) from public;
