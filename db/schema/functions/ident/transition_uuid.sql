create or replace function tasker.transition_uuid(p_task_uuid uuid, p_step_no integer, p_sort_key integer)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select encode(
    set_byte(
      set_byte(d.digest, 6, (get_byte(d.digest, 6) & 15) | 128),
      8, (get_byte(d.digest, 8) & 63) | 128
    ),
    'hex'
  )::uuid
  from (
    select substr(sha256(uuid_send(p_task_uuid) || int4send(p_step_no) || int4send(p_sort_key)), 1, 16)
  ) as d (digest);
end;

comment on function tasker.transition_uuid(uuid, integer, integer) is
$$The UUID of a transition, derived from its key: version 8, always the same for the same transition. Step number 0 is the task's own.$$;

revoke all on function tasker.transition_uuid(uuid, integer, integer) from public;
grant execute on function tasker.transition_uuid(uuid, integer, integer)
  to tasker_orchestrator, tasker_operator, tasker_reader;
