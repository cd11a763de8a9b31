create or replace function tasker.partition_lock_budget()
  returns interval
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Whoever waits in a circle with the manager must see it give up before the server picks a victim.
  return least(
    make_interval(secs => tasker.setting_integer('partition_lock_timeout_ms') / 1000.0),
    current_setting('deadlock_timeout')::interval * 0.8
  );
end;
$$;

comment on function tasker.partition_lock_budget() is
$$How long all locks of one drop may be waited for together: the setting partition_lock_timeout_ms, but less than deadlock_timeout.$$;

revoke all on function tasker.partition_lock_budget() from public;
