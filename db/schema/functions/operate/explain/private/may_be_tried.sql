create or replace function tasker.may_be_tried(
  p_state         tasker.step_state,
  p_retryable     boolean,
  p_attempts      integer,
  p_max_attempts  integer
)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_state <> 'error'
     and (p_attempts = 0 or (p_retryable and p_attempts < p_max_attempts));
end;

comment on function tasker.may_be_tried is
$$Returns true if the engine may run a step, for the first time or again, without an operator. A step in the state
"error" has failed for good, even if it has attempts left. Only an operator can retry it.$$;
