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

comment on function tasker.leases_heard_since() is
$$Since when workers could renew their leases: the later of the start of the server and the note of tasker.note_lease_clock, which crash recovery and a promotion remove. Now, while there is no note. Tests replace it.$$;

revoke all on function tasker.leases_heard_since() from public;
