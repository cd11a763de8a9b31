create or replace function tasklib.locks_heard_since()
  returns timestamptz
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_since timestamptz;
begin
  -- A standby cannot read an unlogged table. It ends no locks, so the current time is a safe answer.
  if pg_is_in_recovery() then
    return tasklib.clock();
  end if;
  select min(c.heard_since)
    into v_since
    from tasklib.lock_clock as c
   where c.server_started_at >= pg_postmaster_start_time();
  if v_since is null then
    -- Concurrent calls may write two rows. No lock prevents this, because a session that held the lock could keep the locks
    -- of all tasks from ending.
    insert into tasklib.lock_clock default values on conflict do nothing;
    v_since := tasklib.clock();
  end if;
  return v_since;
end;
$$;

comment on function tasklib.locks_heard_since is
$$Returns the time since which workers could extend their locks without a break. If the running server has no record of this time in tasklib.lock_clock, records the current time. A restart, crash recovery or a promotion begins a new record.$$;
