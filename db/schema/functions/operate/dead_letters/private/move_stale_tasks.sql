create or replace function tasker.move_stale_tasks(p_last_finished_at timestamptz)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- If the last check is long ago, probably no worker ran either. Let workers and orchestrators catch up first.
  if p_last_finished_at is null
     or p_last_finished_at < tasker.clock()
        - 2 * make_interval(secs => tasker.setting_integer('staleness_seconds')) - interval '1 minute'
     or not tasker.setting_boolean('stale_tasks_to_dlq') then
    return null;
  end if;
  return (select count(*) from tasker.detect_and_transition_stale_tasks(false));
end;
$$;

comment on function tasker.move_stale_tasks is
$$Moves stale tasks to the dead-letter queue. Maintenance calls this function. Does nothing if the setting is off, or if
the preceding run was long ago. Returns how many tasks it moved, or null if it did not check.$$;
