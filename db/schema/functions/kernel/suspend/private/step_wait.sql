create or replace function tasker.step_wait(p_await jsonb, p_wait jsonb, p_claim_no integer)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_await, case when (p_wait ->> 'claim_no')::integer = p_claim_no then p_wait end);
end;

comment on function tasker.step_wait is
$$Returns the wait of a suspended step: the field "await" of its template, or the wait that its handler requested under its newest claim. Returns null if only an operator can resume the step.$$;
