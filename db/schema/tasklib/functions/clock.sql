create or replace function tasklib.clock()
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select statement_timestamp();
end;

comment on function tasklib.clock is
$$The time by which tasks are due, locks end and schedules tick: one instant for a whole call.

It is a function, never a setting, because a client that could change a setting could end every lock. Tests replace this function.$$;

grant execute on function tasklib.clock to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
