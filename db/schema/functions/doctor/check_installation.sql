create or replace function tasker.check_installation()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select d.* from tasker.doctor_server() as d;
  return query select d.* from tasker.doctor_standby() as d;
  return query select d.* from tasker.doctor_durability() as d;
  return query select d.* from tasker.doctor_isolation() as d;
  return query select d.* from tasker.doctor_roles() as d;
  return query select d.* from tasker.doctor_partitions() as d;
  return query select d.* from tasker.doctor_extensions() as d;
  return query select d.* from tasker.doctor_snapshots() as d;
  return query select d.* from tasker.doctor_autovacuum() as d;
  return query select d.* from tasker.doctor_locks() as d;
  return query select d.* from tasker.doctor_wakeups() as d;
  return query select d.* from tasker.doctor_schedules() as d;
  return query select d.* from tasker.doctor_settings() as d;
end;
$$;

comment on function tasker.check_installation() is
$$What there is to say about the server and the database that pgtasker runs in: a row for each thing that was looked at, whether it is ok, to be warned of, or a failure, and what to do about it.

Reads catalogs and settings, no run table; locks nothing. "tasker doctor" shows it, with what only a client can know: pending migrations and the clocks' difference.$$;

revoke all on function tasker.check_installation() from public;
grant execute on function tasker.check_installation() to tasker_orchestrator, tasker_operator, tasker_reader;
