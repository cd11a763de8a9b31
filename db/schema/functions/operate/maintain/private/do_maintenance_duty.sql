create or replace function tasker.do_maintenance_duty(p_duty text, p_last_finished_at timestamptz)
  returns setof tasker.maintenance_outcomes
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_outcome tasker.maintenance_outcomes;
begin
  v_outcome.more_due := false;
  case p_duty
    when 'partitions' then
      v_outcome.done := tasker.make_partitions(current_setting('search_path'));
      v_outcome.more_due := v_outcome.done > 0;
    when 'rollups' then
      perform tasker.roll_up();
      perform tasker.note_queues();
      v_outcome.done := tasker.rank_waiting_tasks();
    when 'staleness' then
      v_outcome.done := tasker.move_stale_tasks(p_last_finished_at);
    when 'schedules' then
      v_outcome.done := tasker.check_schedules(100);
      v_outcome.more_due := v_outcome.done = 100;
    when 'incidents' then
      v_outcome.more_due := tasker.note_failures(5000) = 5000;
      -- A backlog of failures takes several calls. These calls must not count as consecutive measurements.
      if not v_outcome.more_due
         or (select w.judged_at from tasker.incident_watch as w) <= tasker.clock() - make_interval(secs => tasker.setting_integer('incident_seconds')) then
        v_outcome.done := tasker.judge_incidents();
      end if;
    when 'mass_actions' then
      v_outcome.done := tasker.run_mass_actions(100);
      v_outcome.more_due := v_outcome.done > 0;
    when 'analytics' then
      perform tasker.refresh_hours();
    when 'retention' then
      select
        count(*) filter (where o.outcome in ('dropped', 'moving', 'moved')),
        string_agg(format('%s from %s: %s', o.outcome, o.starts_at, o.detail), '; ' order by o.starts_at)
        into v_outcome.done, v_outcome.detail
        from tasker.apply_retention() as o;
      -- A drop locks the run tables until the transaction ends, so one call drops one range.
      v_outcome.more_due := v_outcome.done > 0;
    when 'identities' then
      v_outcome.done := tasker.gc_identities();
      perform tasker.forget_creation_policies(5000);
      perform tasker.forget_limit_keys(5000);
      perform tasker.forget_selections(100);
      perform tasker.recover_runs(5000);
      v_outcome.more_due := v_outcome.done > 0 or tasker.forget_events(5000) >= 5000;
    when 'archives' then
      v_outcome.done := tasker.gc_queue_archives();
      v_outcome.more_due := v_outcome.done > 0;
    when 'statistics' then
      v_outcome.detail := tasker.analyze_parents();
      v_outcome.done := (v_outcome.detail is not null)::integer;
      -- If the detail is the same again, several calls run in one transaction, and the first call is not counted yet.
      v_outcome.more_due := v_outcome.detail is not null and not exists (
        select from tasker.maintenance_duties as d where d.duty = p_duty and d.last_detail = v_outcome.detail
      );
  end case;
  return next v_outcome;
end;
$$;

comment on function tasker.do_maintenance_duty is
$$Does as much of a maintenance duty as one transaction should, and returns one row. The row says how much work was
done, or null if the duty has no work to count.$$;
