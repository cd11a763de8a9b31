-- The function uses "begin atomic" and does not pin search_path, because it must see the caller's search_path.
-- pg_partman sets the search_path for the whole session.
create or replace function tasker.run_maintenance(p_duty text default null)
  returns setof tasker.maintenance_duties
  language sql
  security definer
begin atomic
  select tasker.check_unbound();
  select m.* from tasker.maintain(p_duty, current_setting('search_path')) as m;
end;

comment on function tasker.run_maintenance is
$$Does the maintenance duty that has been due longest, and returns the row of this duty. With p_duty, does the named
duty even if it is not due. Returns no row if no duty is due or if another session is doing maintenance.
tasker.maintenance_duties lists the duties. An orchestrator calls this function in its loop, each call in its own
transaction, until it returns no row. A job of pg_cron does the same (tasker.setup_cron).

A call does as much work as one transaction should: for example, it drops one range, analyzes one table, or deletes a
few thousand rows. If there is more work, the column more_due is true, and the duty is due again at once. A duty that
fails is rolled back. The failure is recorded in its row, and the duty is tried again when it is next due. Locks the row
"maintenance" of tasker.turns. The comment of each duty's function has the locks of the duty. Raises TK404 if there is
no such duty.$$;

grant execute on function tasker.run_maintenance to tasker_orchestrator, tasker_operator;
