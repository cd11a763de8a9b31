create or replace function tasker.child_state(
  p_state              tasker.step_state,
  p_join_mode          text,
  p_total_parents      integer,
  p_pending_parents    integer,
  p_satisfied_parents  integer,
  p_halted             boolean,
  p_awaits             boolean
)
  returns tasker.step_state
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_state <> 'pending' or p_pending_parents > 0 and not (p_join_mode = 'first' and p_satisfied_parents > 0)
      then null::tasker.step_state
    when not tasker.join_holds(p_join_mode, p_total_parents, p_pending_parents, p_satisfied_parents)
      then 'cancelled'::tasker.step_state
    when p_halted then null
    when p_awaits then 'suspended'::tasker.step_state
    else 'enqueued'::tasker.step_state
  end;
end;

comment on function tasker.child_state is
$$Returns the next state of a step from its parents' outcomes: enqueued or, without a handler, suspended, if the step's join holds and its task does not halt. It is cancelled (skipped) if its join can no longer hold. Returns null if the step stays in its state.$$;
