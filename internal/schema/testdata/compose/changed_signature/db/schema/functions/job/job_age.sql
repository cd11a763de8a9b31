create or replace function tasker.job_age(p_pushed_at timestamptz, p_now timestamptz default tasker.clock())
  returns interval
  language sql
  stable
begin atomic
  select p_now - p_pushed_at;
end;

comment on function tasker.job_age(timestamptz, timestamptz) is
  'How long ago something was pushed.';

revoke all on function tasker.job_age(timestamptz, timestamptz) from public;
