create or replace function tasker.handed_inputs(p_task_uuid uuid, p_step_no integer, p_undo_no integer, p_inputs jsonb, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  if p_undo_no = 0 then
    return tasker.failure_inputs(p_task_uuid, p_step_no, p_inputs, p_bytes);
  end if;
  return tasker.undo_inputs(p_task_uuid, p_undo_no, p_inputs, p_bytes);
end;
$$;

comment on function tasker.handed_inputs is
$$Door: returns the inputs of a step that undoes another step, or that waits for a failure, as a claim hands them out. A step that undoes gets the result of the other step, unless it has more than p_bytes bytes. A step that waits for a failure gets the failures, and its p_undo_no is 0.$$;
