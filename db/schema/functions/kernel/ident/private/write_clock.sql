create or replace function tasker.write_clock()
  returns timestamptz
  language sql
  volatile
  parallel safe
begin atomic
  select case when tasker.clock() = statement_timestamp() then clock_timestamp() else tasker.clock() end;
end;

comment on function tasker.write_clock is
$$The time by which rows are dated: leases and logs begin when the locks are granted, not when the call began to wait for them. If a test has replaced tasker.clock(), that time.$$;
