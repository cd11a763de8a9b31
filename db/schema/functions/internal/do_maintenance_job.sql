create or replace function tasker.do_maintenance_job(p_job text, p_last_finished_at timestamptz)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  case p_job
    when 'partitions' then
      return tasker.ensure_partitions();
    when 'rollups' then
      perform tasker.roll_up();
      return tasker.rank_waiting_tasks();
    when 'staleness' then
      return tasker.move_stale_tasks(p_last_finished_at);
    when 'analytics' then
      perform tasker.refresh_hours();
      return null;
  end case;
end;
$$;

comment on function tasker.do_maintenance_job(text, timestamptz) is
$$Does one job of maintenance and returns how much it did; null where there is nothing to count.$$;

revoke all on function tasker.do_maintenance_job(text, timestamptz) from public;
