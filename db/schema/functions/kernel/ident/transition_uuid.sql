create or replace function tasker.transition_uuid(p_task_uuid uuid, p_step_no integer, p_sort_key integer)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  -- This is one expression that names each parameter once, so that the function is inlined and the digest is computed
  -- once. The version is in bits 52 to 55, the variant in bits 70 and 71. set_bit counts from the lowest bit of a byte.
  select encode(
    set_bit(set_bit(set_bit(set_bit(set_bit(set_bit(
      substr(sha256(uuid_send(p_task_uuid) || int4send(p_step_no) || int4send(p_sort_key)), 1, 16),
      52, 0), 53, 0), 54, 0), 55, 1), 70, 0), 71, 1),
    'hex'
  )::uuid;
end;

comment on function tasker.transition_uuid is
$$Returns the UUID of a transition, of version 8, computed from the key of the transition. The same transition always has the same UUID. Step number 0 means a transition of the task.$$;

grant execute on function tasker.transition_uuid
  to tasker_orchestrator, tasker_operator, tasker_reader;
