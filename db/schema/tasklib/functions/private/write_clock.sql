create or replace function tasklib.write_clock()
  returns timestamptz
  language sql
  volatile
  parallel safe
begin atomic
  select case when tasklib.clock() = statement_timestamp() then clock_timestamp() else tasklib.clock() end;
end;

comment on function tasklib.write_clock is
$$The time by which runs are dated and rows are judged that a call had to wait for. If a test has replaced tasklib.clock(), that time.$$;
