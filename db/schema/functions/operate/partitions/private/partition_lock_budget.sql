create or replace function tasker.partition_lock_budget()
  returns interval
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- If this session gets into a deadlock, it must give up before the server cancels one of the sessions.
  return least(
    make_interval(secs => tasker.setting_integer('partition_lock_timeout_ms') / 1000.0),
    current_setting('deadlock_timeout')::interval * 0.8
  );
end;
$$;

comment on function tasker.partition_lock_budget is
$$Returns how long one drop may wait for all its locks together. The time is the setting partition_lock_timeout_ms, but
always less than deadlock_timeout.$$;
