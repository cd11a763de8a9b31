create or replace function tasker.push_job(p_pushed_at timestamptz)
  returns interval
  language sql
  stable
begin atomic
  select tasker.clock() - p_pushed_at;
end;

comment on function tasker.push_job(timestamptz) is
  'How long ago something was pushed.';

revoke all on function tasker.push_job(timestamptz) from public;
