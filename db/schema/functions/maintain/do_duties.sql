-- Not pinned but "begin atomic", as tasker.run_maintenance is: pg_partman sets the search_path for the whole session.
create or replace function tasker.do_duties()
  returns setof tasker.maintenance_jobs
  language sql
  security definer
begin atomic
  select m.* from tasker.maintain(null, current_setting('search_path'), true) as m;
end;

comment on function tasker.do_duties() is
$$Does the one job of maintenance that has been due longest, of those that every worker may do, and returns its row: partitions ahead, rollups, statistics, schedules. If none is due it fires due timers and returns no row. With this, workers keep a database going without an orchestrator; staleness, analytics, retention and whatever else deletes or gives up work stay with tasker.run_maintenance.

Any number of workers may call it, each call in a transaction of its own, now and then until there is no row: one does a job at a time, the others get no row. Locks the row maintenance of tasker.turns; what a job locks its own function says.$$;

revoke all on function tasker.do_duties() from public;
grant execute on function tasker.do_duties() to tasker_worker, tasker_orchestrator, tasker_operator;
