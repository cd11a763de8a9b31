create or replace function tasker.clock()
  returns timestamptz
  language sql
  stable
begin atomic
  select case when true then now() end;
end;

comment on function tasker.clock() is
  'The time; tests replace it.';

revoke all on function tasker.clock() from public;
