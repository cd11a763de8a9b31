create or replace function tasker.server_started_at()
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select pg_postmaster_start_time();
end;

comment on function tasker.server_started_at() is
$$Since when workers could renew their leases. Tests replace it.$$;

revoke all on function tasker.server_started_at() from public;
