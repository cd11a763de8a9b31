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
$$Door: returns the inputs that a claim hands out for a step that undoes another step or waits for a failure. A step that undoes another step gets that step's result, unless the result has more than p_bytes bytes. A step that waits for a failure, whose p_undo_no is 0, gets the failures.$$;
