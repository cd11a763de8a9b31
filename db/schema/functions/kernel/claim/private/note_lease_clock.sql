create or replace function tasker.note_lease_clock()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- No lock prevents a second row, because a session that held such a lock could keep all leases from ending.
  if not exists (select from tasker.lease_clock as c) then
    insert into tasker.lease_clock default values on conflict do nothing;
  end if;
end;
$$;

comment on function tasker.note_lease_clock is
$$Records that this server is reachable from now on, unless this is already recorded. Claims call this function before they check whether leases have ended.$$;
