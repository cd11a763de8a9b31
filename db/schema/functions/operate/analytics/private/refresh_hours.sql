create or replace function tasker.refresh_hours()
  returns timestamptz
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
  set timezone = 'UTC'
as $$
declare
  v_state tasker.rollup_state;
  v_hours timestamptz;
begin
  perform 1 from tasker.rollup_state as s for update;
  select s.* into strict v_state from tasker.rollup_state as s;
  v_hours := date_trunc('hour', least(v_state.settled_until, v_state.rolled_up_until));

  perform tasker.merge_old_minutes(
            r.rollups,
            least(v_hours, tasker.clock() - interval '2 days'),
            tasker.clock() - make_interval(days => tasker.setting_integer('rollup_days'))
          )
     from (values ('tasker.task_rollups'::regclass), ('tasker.step_rollups'), ('tasker.work_rollups')) as r (rollups);

  update tasker.rollup_state as s set hours_until = v_hours;
  refresh materialized view concurrently tasker.task_hours;
  refresh materialized view concurrently tasker.step_hours;
  refresh materialized view concurrently tasker.work_hours;
  return v_hours;
end;
$$;

comment on function tasker.refresh_hours is
$$Refreshes the materialised views up to the last settled full hour, merges old minutes and deletes rollups older than the setting rollup_days. Returns how far the views reach.

Locks the row of rollup_state. Does not block readers of the views.$$;
