create or replace function tasker.note_lease_clock()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- No lock prevents two rows: a session that held it could keep every lease from ending.
  if not exists (select from tasker.lease_clock as c) then
    insert into tasker.lease_clock default values on conflict do nothing;
  end if;
end;
$$;

comment on function tasker.note_lease_clock is
$$Records that this server is reachable from now on, unless it is already recorded. Called by claims, and before leases are judged.$$;
