create or replace function tasker.step_uuid(p_task_uuid uuid, p_step_no integer)
  returns uuid
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_step_no between 1 and 65535
    then encode(set_byte(set_byte(uuid_send(p_task_uuid), 14, p_step_no >> 8), 15, p_step_no & 255), 'hex')::uuid
  end;
end;

comment on function tasker.step_uuid is
$$Computes the UUID of step number p_step_no of a task. Returns null if the number is not between 1 and 65,535.

This function is the inverse of tasker.task_uuid_of and tasker.step_no_of.$$;

grant execute on function tasker.step_uuid
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
