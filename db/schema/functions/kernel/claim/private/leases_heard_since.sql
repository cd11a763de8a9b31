create or replace function tasker.leases_heard_since()
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A standby cannot read an unlogged table, and ends no leases.
  if pg_is_in_recovery() then
    return pg_postmaster_start_time();
  end if;
  return greatest(
    pg_postmaster_start_time(),
    coalesce((select min(c.heard_since) from tasker.lease_clock as c), tasker.clock())
  );
end;
$$;

comment on function tasker.leases_heard_since is
$$Returns the time since which workers have been able to renew their leases. It is the later of two times: the start of the server, and the time in the row that tasker.note_lease_clock writes, which crash recovery and a promotion delete. Without that row it is the current time. Tests replace this function.$$;
