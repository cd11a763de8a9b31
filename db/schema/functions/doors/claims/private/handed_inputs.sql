create or replace function tasker.handed_inputs(p_task_uuid uuid, p_undo_no integer, p_inputs jsonb, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return tasker.undo_inputs(p_task_uuid, p_undo_no, p_inputs, p_bytes);
end;
$$;

comment on function tasker.handed_inputs is
$$Door: returns the inputs of a step that undoes another one, as a claim hands them out: with that one's result, unless it has more than p_bytes bytes.$$;
