create or replace function tasker.later_start(p_note tasker.timers)
  returns interval
  language plpgsql
  stable
as $$
begin
  return (
    select least(greatest(tasker.clock() - s.moved_at, interval '10 seconds'), interval '10 minutes')
      from tasker.workflow_steps as s
     where s.task_uuid = p_note.task_uuid
       and s.step_no = p_note.step_no
  );
end;
$$;

comment on function tasker.later_start is
$$Returns the delay until the start of a step's task is tried again after an error of the server. The delay is the time that the step has waited so far, at least 10 seconds and at most 10 minutes, so that the total wait doubles with each try.$$;
