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

It is a function, never a setting, because a client that could change a setting could end every lease. Tests replace this function.$$;

grant execute on function tasker.clock
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
