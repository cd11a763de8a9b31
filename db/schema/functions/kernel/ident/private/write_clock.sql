create or replace function tasker.write_clock()
  returns timestamptz
  language sql
  volatile
  parallel safe
begin atomic
  select case when tasker.clock() = statement_timestamp() then clock_timestamp() else tasker.clock() end;
end;

comment on function tasker.write_clock is
$$Returns the time that is written into rows. Leases and log entries begin when the locks are granted, not when the call began to wait for the locks. If a test has replaced tasker.clock(), returns the time of the test.$$;
