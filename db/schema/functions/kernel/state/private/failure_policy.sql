create or replace function tasker.failure_policy(p_on_failure text, p_undo jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_undo is null then p_on_failure
    when p_undo ? 'phase' then p_undo ->> 'phase'
    when p_on_failure = 'fail' then 'fail_undo'
    else p_on_failure
  end;
end;

comment on function tasker.failure_policy is
$$Returns the policy for a task's failures: the policy of its template or, during an undo, the phase of the undo ("drain" or "undo"). The policy "fail_undo" means that the task fails by itself, but has something to undo first.$$;
