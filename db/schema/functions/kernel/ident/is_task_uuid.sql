create or replace function tasker.is_task_uuid(p_uuid uuid)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- Compare bytes, because this function runs for each row of a task, and a pattern over the text costs thirty times as
  -- much.
  select get_byte(uuid_send(p_uuid), 6) >> 4 = 7
    and get_byte(uuid_send(p_uuid), 8) >> 6 = 2
    and substr(uuid_send(p_uuid), 15) = '\x0000'::bytea;
end;

comment on function tasker.is_task_uuid is
$$Returns true if a UUID has the form of a task's UUID: version 7, and the last 16 bits are zero. Queries no table, so the task need not exist.$$;

grant execute on function tasker.is_task_uuid
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
