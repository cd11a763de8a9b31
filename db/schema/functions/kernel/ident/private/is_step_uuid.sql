create or replace function tasker.is_step_uuid(p_uuid uuid, p_task_uuid uuid, p_step_no integer)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- Compare bytes, because this function runs for each new step. Making the UUID and comparing it would cost three
  -- times as much.
  select p_step_no between 1 and 65535
    and uuid_send(p_uuid) = set_byte(set_byte(uuid_send(p_task_uuid), 14, p_step_no >> 8), 15, p_step_no & 255);
end;

comment on function tasker.is_step_uuid is
$$Returns whether a UUID is the UUID that tasker.step_uuid computes from this task and number. The function is inlined.$$;
