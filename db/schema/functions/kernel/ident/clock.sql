create or replace function tasker.clock()
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select statement_timestamp();
end;

comment on function tasker.clock is
$$Returns the time by which leases, retries and timers are judged: one instant for a whole call.

A function, never a setting: a client that could change it could end every lease. Tests replace it.$$;

grant execute on function tasker.clock
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
