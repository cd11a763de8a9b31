create or replace function tasker.refresh_analytics()
  returns timestamptz
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_until timestamptz := tasker.roll_up();
begin
  perform tasker.refresh_hours();
  return v_until;
end;
$$;

comment on function tasker.refresh_analytics() is
$$Brings totals, rollups and materialised views up to date and returns until when they reach. Maintenance does the same by itself; call it before a report that must be of now.

One at a time, by a row lock: a second call waits for the first. Readers of the reports go on.$$;

revoke all on function tasker.refresh_analytics() from public;
grant execute on function tasker.refresh_analytics() to tasker_orchestrator, tasker_operator;
