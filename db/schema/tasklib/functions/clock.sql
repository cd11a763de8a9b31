create or replace function tasklib.clock()
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select statement_timestamp();
end;

comment on function tasklib.clock is
$$Returns the time that decides which tasks are due, which locks have ended and which schedules tick. The time is the same during a whole call.

Tests replace this function. No setting can change the time, because a client that set it could end every lock.$$;

grant execute on function tasklib.clock to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
