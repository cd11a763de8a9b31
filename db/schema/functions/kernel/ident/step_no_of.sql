create or replace function tasker.step_no_of(p_step_uuid uuid)
  returns integer
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select (get_byte(uuid_send(p_step_uuid), 14) << 8) + get_byte(uuid_send(p_step_uuid), 15);
end;

comment on function tasker.step_no_of is
$$Returns the number of a step in its task (1 to 65,535), which is in the last 16 bits of the step's UUID. Returns 0 for the UUID of a task.$$;

grant execute on function tasker.step_no_of
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
