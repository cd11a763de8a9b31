create or replace function tasker.job_age(p_pushed_at timestamptz)
  returns interval
  language sql
  stable
begin atomic
  select tasker.clock() - p_pushed_at;
end;

comment on function tasker.job_age(timestamptz) is
  'How long ago something was pushed.';

revoke all on function tasker.job_age(timestamptz) from public;
