create or replace function tasker.context_replaced(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.renew_attributes(p_task_uuid);
  v_ok := tasker.set_input_bounds(array[p_task_uuid]);
end;
$$;

comment on function tasker.context_replaced is
$$Door: the context of a task was changed (change_task).$$;
