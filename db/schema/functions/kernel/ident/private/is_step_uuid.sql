create or replace function tasker.is_step_uuid(p_uuid uuid, p_task_uuid uuid, p_step_no integer)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- By bytes, because this runs for each new step, and making the UUID and comparing it costs three times as
  -- much.
  select p_step_no between 1 and 65535
    and uuid_send(p_uuid) = set_byte(set_byte(uuid_send(p_task_uuid), 14, p_step_no >> 8), 15, p_step_no & 255);
end;

comment on function tasker.is_step_uuid is
$$Returns whether a UUID is tasker.step_uuid of a task and a number. Inlined.$$;
