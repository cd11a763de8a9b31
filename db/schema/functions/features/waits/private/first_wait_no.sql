create or replace function tasker.first_wait_no(p_task_uuid uuid, p_step_no integer, p_event text)
  returns integer
  language plpgsql
  stable
as $$
begin
  return (
    select min(w.wait_no)
      from tasker.waits as w
     where w.task_uuid = p_task_uuid
       and w.step_no = p_step_no
       and w.event = p_event
  );
end;
$$;

comment on function tasker.first_wait_no is
$$Returns the lowest wait number of a step for an event of this name, or null if the step waits for no such event.$$;
