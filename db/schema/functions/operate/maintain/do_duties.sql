-- The function does not pin search_path and uses "begin atomic" instead, like tasker.run_maintenance, because
-- pg_partman sets the search_path for the whole session.
create or replace function tasker.do_duties()
  returns setof tasker.maintenance_duties
  language sql
  security definer
begin atomic
  select m.* from tasker.maintain(null, current_setting('search_path'), true) as m;
end;

comment on function tasker.do_duties is
$$Does the longest due of the maintenance duties that every worker may do (partitions ahead, rollups, statistics,
schedules), and returns its row. If none is due, it fires due timers and returns no row. With this function, workers and
tasker serve keep a database going without an orchestrator. Duties that delete or give up work (staleness, analytics,
retention, …) need tasker.run_maintenance.

Any number of workers may call it periodically, each call in its own transaction, until it returns no row. One worker at
a time does a duty. All other callers get no row. Locks the row maintenance of tasker.turns. The function of each duty
lists the locks of the duty.$$;

grant execute on function tasker.do_duties to tasker_worker, tasker_orchestrator, tasker_operator, tasker_server;
