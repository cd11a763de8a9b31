create or replace function tasker.measure_incidents()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query select m.* from tasker.measure_failing() as m;
  return query select m.* from tasker.measure_unserved() as m;
  return query select m.* from tasker.measure_queues() as m;
  return query select m.* from tasker.measure_limits() as m;
  return query select m.* from tasker.measure_pauses() as m;
  return query select m.* from tasker.measure_deadlines() as m;
  return query select m.* from tasker.measure_schedules() as m;
  return query select m.* from tasker.measure_dead_letters() as m;
  return query select m.* from tasker.measure_subscriptions() as m;
  return query select m.* from tasker.measure_workers() as m;
  return query select m.* from tasker.measure_slow() as m;
  return query select m.* from tasker.measure_engine() as m;
  return query select m.* from tasker.measure_mass() as m;
  return query select m.* from tasker.measure_sequences() as m;
  return query select m.* from tasker.measure_storage() as m;
end;
$$;

comment on function tasker.measure_incidents is
$$Returns the present measurements that exceed thresholds of the rules in tasker.incident_rules. Writes nothing, so a
standby can measure, too.$$;
