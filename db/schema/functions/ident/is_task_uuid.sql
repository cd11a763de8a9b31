create or replace function tasker.is_task_uuid(p_uuid uuid)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_uuid::text ~ '^.{14}7.{4}[89ab].{12}0000$';
end;

comment on function tasker.is_task_uuid(uuid) is
$$Returns true if a UUID has the form of a task's: version 7, the last 16 bits zero. Queries no table: the task need not exist.$$;

revoke all on function tasker.is_task_uuid(uuid) from public;
grant execute on function tasker.is_task_uuid(uuid)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
