create or replace function tasker.guarded_step(p_step_uuid uuid)
  returns tasker.workflow_steps
  language plpgsql
  stable
as $$
declare
  v_step tasker.workflow_steps;
begin
  perform tasker.check_bound(p_step_uuid);
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_step;
end;
$$;

comment on function tasker.guarded_step is
$$Returns the step for the functions that check guards. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;
