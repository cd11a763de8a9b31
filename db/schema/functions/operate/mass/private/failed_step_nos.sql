create or replace function tasker.failed_step_nos(p_task_uuid uuid)
  returns integer[]
  language sql
  stable
begin atomic
  select array(
    select s.step_no
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.state = 'error'
     order by s.step_no
     limit 100
  );
end;

comment on function tasker.failed_step_nos is
$$Returns the numbers of the first 100 steps of a task that are in the state "error".$$;
