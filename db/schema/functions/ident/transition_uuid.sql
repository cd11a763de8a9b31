create or replace function tasker.transition_uuid(p_task_uuid uuid, p_step_no integer, p_sort_key integer)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  -- One expression without a subquery, so that it is inlined: a call for each row would cost several times as much.
  select overlay(
    overlay(
      encode(substr(sha256(uuid_send(p_task_uuid) || int4send(p_step_no) || int4send(p_sort_key)), 1, 16), 'hex')
      placing '8' from 13 for 1
    )
    placing to_hex(
      get_byte(sha256(uuid_send(p_task_uuid) || int4send(p_step_no) || int4send(p_sort_key)), 8) >> 4 & 3 | 8
    )
    from 17 for 1
  )::uuid;
end;

comment on function tasker.transition_uuid(uuid, integer, integer) is
$$The UUID of a transition, derived from its key: version 8, always the same for the same transition. Step number 0 is the task's own.$$;

revoke all on function tasker.transition_uuid(uuid, integer, integer) from public;
grant execute on function tasker.transition_uuid(uuid, integer, integer)
  to tasker_orchestrator, tasker_operator, tasker_reader;
