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
$$Returns by which policy a task's failures are judged: the policy of its template or, while the task is undone, the phase (drain or undo). fail_undo means that the task fails by itself, and has something to undo first.$$;
