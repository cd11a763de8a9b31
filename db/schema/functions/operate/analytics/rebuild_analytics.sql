create or replace function tasker.rebuild_analytics()
  returns timestamptz
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform 1 from tasker.rollup_state as s for update;
  delete from tasker.task_totals;
  delete from tasker.step_totals;
  delete from tasker.result_totals;
  delete from tasker.task_rollups;
  delete from tasker.step_rollups;
  delete from tasker.work_rollups;
  update tasker.rollup_state as s
     set settled_until   = '-infinity',
         rolled_up_until = '-infinity',
         hours_until     = '-infinity',
         mark_at         = null,
         mark_xid        = null;
  return tasker.refresh_analytics();
end;
$$;

comment on function tasker.rebuild_analytics is
$$Recounts all totals, rollups and materialised views. Call this function for a database whose history was restored or
moved, or after a transaction that was open for hours. Returns how far the rollups reach.

Reads the logs of all partitions. Tasks that retention has dropped are no longer counted. Locks the row of rollup_state.
Raises TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.rebuild_analytics to tasker_operator;
