-- The function does not pin search_path and uses "begin atomic" instead, because it must see the caller's
-- search_path, which pg_partman sets for the whole session.
create or replace function tasker.run_maintenance(p_duty text default null)
  returns setof tasker.maintenance_duties
  language sql
  security definer
begin atomic
  select tasker.check_unbound();
  select m.* from tasker.maintain(p_duty, current_setting('search_path')) as m;
end;

comment on function tasker.run_maintenance is
$$Does the maintenance duty that has been due longest, or the named duty whether it is due or not, and returns its row. Returns no row if no duty is due or another session is doing maintenance. tasker.maintenance_duties lists the duties. An orchestrator calls it in its loop, each call in its own transaction, until it returns no row. So does pg_cron, see tasker.setup_cron.

A call does as much as one transaction should: it drops one range, analyzes one table, or deletes some thousand rows.
more_due says that there is more work, which is then due at once. A duty that fails is rolled back, recorded in its row
and tried again when it is next due. Locks the row maintenance of tasker.turns. The function of each duty lists the
locks of the duty. Raises TK404 if there is no such duty.$$;

grant execute on function tasker.run_maintenance to tasker_orchestrator, tasker_operator;
