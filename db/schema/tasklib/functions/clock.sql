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

A function, never a setting: a client that could change it could end every lock. Tests replace it.$$;

grant execute on function tasklib.clock to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
