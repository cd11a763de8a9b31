create or replace function tasker.taken_failures(p_task_uuid uuid)
  returns integer[]
  language plpgsql
  stable
as $$
begin
  return array(
    select s.step_no
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.state = 'cancelled'
       and s.effects & 1024 <> 0
       and s.map_no is null
       and tasker.settled_by(s.task_uuid, s.step_no) = 'Tolerate'
     order by s.last_failure_at, s.step_no
  );
end;
$$;

comment on function tasker.taken_failures is
$$Returns the failed steps of a task whose failure another step waited for, the earliest failure first. The cost is linear in the task's steps.$$;
