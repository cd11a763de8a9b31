create or replace function tasker.clock()
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select statement_timestamp();
end;

comment on function tasker.clock is
$$Returns the current time for leases, retries and timers. It is the same instant during a whole statement.

The clock is not a setting, because a client that changed the setting could end every lease. Tests replace this function.$$;

grant execute on function tasker.clock
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
