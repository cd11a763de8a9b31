-- Like tasker.run_maintenance, the function uses "begin atomic" and does not pin search_path, because pg_partman sets
-- the search_path for the whole session.
create or replace function tasker.do_duties()
  returns setof tasker.maintenance_duties
  language sql
  security definer
begin atomic
  select m.* from tasker.maintain(null, current_setting('search_path'), true) as m;
end;

comment on function tasker.do_duties is
$$Does the maintenance duty that has been due longest, among the duties that every worker may do (partitions ahead,
rollups, statistics, schedules), and returns the row of this duty. If no such duty is due, fires due timers and returns
no row. With this function, workers and "tasker serve" keep a database working without an orchestrator. Duties that
delete or give up work (staleness, analytics, retention, …) need tasker.run_maintenance.

Any number of workers may call this function periodically, each call in its own transaction, until it returns no row.
Only one worker at a time does a duty. All other callers get no row. Locks the row "maintenance" of tasker.turns. The
comment of each duty's function has the locks of the duty.$$;

grant execute on function tasker.do_duties to tasker_worker, tasker_orchestrator, tasker_operator, tasker_server;
