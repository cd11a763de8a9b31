create or replace function tasker.leases_heard_since()
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A standby cannot read an unlogged table, and ends no lease.
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
$$Returns since when workers could renew their leases: the later of the server's start and the row of tasker.note_lease_clock, which crash recovery and a promotion delete. Now, if there is no row. Tests replace it.$$;
