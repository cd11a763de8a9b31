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

comment on function tasker.refresh_analytics is
$$Updates totals, rollups and materialised views, as maintenance does, and returns how far they reach. Call this
function before a report that must be current.

Locks the row of rollup_state, so a second call waits for the first. Does not block readers of the reports.$$;

grant execute on function tasker.refresh_analytics to tasker_orchestrator, tasker_operator;
