create or replace function tasker.task_uuid_of(p_step_uuid uuid)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select encode(set_byte(set_byte(uuid_send(p_step_uuid), 14, 0), 15, 0), 'hex')::uuid;
end;

comment on function tasker.task_uuid_of is
$$Computes the UUID of a step's task from the step's UUID. A step's UUID is the UUID of its task with the step number in the last 16 bits.

For the UUID of a task, returns the same UUID. Queries no table, so neither task nor step need exist.$$;

grant execute on function tasker.task_uuid_of
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
