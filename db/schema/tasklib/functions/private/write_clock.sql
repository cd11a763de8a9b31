create or replace function tasklib.write_clock()
  returns timestamptz
  language sql
  volatile
  parallel safe
begin atomic
  select case when tasklib.clock() = statement_timestamp() then clock_timestamp() else tasklib.clock() end;
end;

comment on function tasklib.write_clock is
$$Returns the time by which a call dates runs and judges rows that it had to wait for. If a test has replaced tasklib.clock(), returns the time of the test.$$;
