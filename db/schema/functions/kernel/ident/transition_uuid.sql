create or replace function tasker.transition_uuid(p_task_uuid uuid, p_step_no integer, p_sort_key integer)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  -- One expression that names each parameter once, so that the function is inlined and the digest is computed once.
  -- The bits of the version are 52 to 55, the bits of the variant 70 and 71. set_bit counts from the lowest bit of a
  -- byte.
  select encode(
    set_bit(set_bit(set_bit(set_bit(set_bit(set_bit(
      substr(sha256(uuid_send(p_task_uuid) || int4send(p_step_no) || int4send(p_sort_key)), 1, 16),
      52, 0), 53, 0), 54, 0), 55, 1), 70, 0), 71, 1),
    'hex'
  )::uuid;
end;

comment on function tasker.transition_uuid is
$$Returns the UUID of a transition, derived from its key: version 8, always the same for the same transition. Step number 0 is the task's own.$$;

grant execute on function tasker.transition_uuid
  to tasker_orchestrator, tasker_operator, tasker_reader;
