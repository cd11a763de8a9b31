create or replace function tasker.step_is_open(p_state tasker.step_state)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select (p_state not in ('complete', 'error', 'cancelled', 'resolved_manually'))::integer;
end;

comment on function tasker.step_is_open(tasker.step_state) is
$$1 if a step in this state is neither done nor failed, else 0: what tasker.step_states says, inlined where a look at it for each step would cost too much. A test holds the two equal.$$;

revoke all on function tasker.step_is_open(tasker.step_state) from public;
