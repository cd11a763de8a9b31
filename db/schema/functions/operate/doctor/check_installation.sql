create or replace function tasker.check_installation()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query select d.* from tasker.doctor_server() as d;
  return query select d.* from tasker.doctor_standby() as d;
  return query select d.* from tasker.doctor_durability() as d;
  return query select d.* from tasker.doctor_isolation() as d;
  return query select d.* from tasker.doctor_roles() as d;
  return query select d.* from tasker.doctor_timeouts() as d;
  return query select d.* from tasker.doctor_partitions() as d;
  return query select d.* from tasker.doctor_extensions() as d;
  return query select d.* from tasker.doctor_snapshots() as d;
  return query select d.* from tasker.doctor_autovacuum() as d;
  return query select d.* from tasker.doctor_locks() as d;
  return query select d.* from tasker.doctor_wakeups() as d;
  return query select d.* from tasker.doctor_duties() as d;
  return query select d.* from tasker.doctor_schedules() as d;
  return query select d.* from tasker.doctor_types() as d;
  return query select d.* from tasker.doctor_sql() as d;
  return query select d.* from tasker.doctor_timers() as d;
  return query select d.* from tasker.doctor_tokens() as d;
  return query select d.* from tasker.doctor_objects() as d;
  return query select d.* from tasker.doctor_queues() as d;
  return query select d.* from tasker.doctor_settings() as d;
end;
$$;

comment on function tasker.check_installation is
$$Checks the server and the database that pgtasker runs in. Returns a row for each check with its status ("ok", "warn"
or "fail") and the remedy.

Reads catalogs, settings, tokens, the timers that failed and the waits of diverged steps, but no run table. Locks
nothing. "tasker doctor" shows the rows and adds the checks that need a client: pending migrations, and the difference
between the clocks of client and server.$$;

grant execute on function tasker.check_installation to tasker_orchestrator, tasker_operator, tasker_reader;
