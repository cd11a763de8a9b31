create or replace function tasklib.locks_heard_since()
  returns timestamptz
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_since timestamptz;
begin
  -- A standby cannot read an unlogged table, and ends no lock.
  if pg_is_in_recovery() then
    return tasklib.clock();
  end if;
  select min(c.heard_since)
    into v_since
    from tasklib.lock_clock as c
   where c.server_started_at >= pg_postmaster_start_time();
  if v_since is null then
    -- No lock prevents two rows, because a session that held such a lock could keep every task lock from
    -- ending.
    insert into tasklib.lock_clock default values on conflict do nothing;
    v_since := tasklib.clock();
  end if;
  return v_since;
end;
$$;

comment on function tasklib.locks_heard_since is
$$Returns since when workers could extend their locks, and records that it is now if the running server has no record. Restarts, crash recovery and promotions end the record.$$;
