create or replace function tasker.check_step_exists(p_step_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and s.step_no = tasker.step_no_of(p_step_uuid)
  ) then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
end;
$$;

comment on function tasker.check_step_exists is
$$Raises TK404 if there is no such step.$$;
