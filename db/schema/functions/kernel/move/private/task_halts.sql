create or replace function tasker.task_halts(p_on_failure text, p_failed_steps integer)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_on_failure = 'halt' and p_failed_steps > 0;
end;

comment on function tasker.task_halts is
$$Returns true if a task starts no more steps, because it has a failure and its template halts on failures.$$;
