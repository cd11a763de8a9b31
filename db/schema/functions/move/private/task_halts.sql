create or replace function tasker.task_halts(p_on_failure text, p_failed_steps integer)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_on_failure = 'halt' and p_failed_steps > 0;
end;

comment on function tasker.task_halts(text, integer) is
$$Whether a task starts nothing more: its template halts on the failure that it has.$$;

revoke all on function tasker.task_halts(text, integer) from public;
