create or replace function tasklib.write_clock()
  returns timestamptz
  language sql
  volatile
  parallel safe
begin atomic
  select case when tasklib.clock() = statement_timestamp() then clock_timestamp() else tasklib.clock() end;
end;

comment on function tasklib.write_clock is
$$Returns the current time, even if the statement has waited for locks. A call uses it as the start or the end of runs, and to decide about rows whose locks it waited for. If a test has replaced tasklib.clock(), returns the time of that function.$$;
