create or replace function tasker.count_handler_hours()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_until timestamptz := date_trunc('hour', v_now - interval '5 minutes', 'UTC');
  v_from  timestamptz;
begin
  select greatest(w.hours_until, v_until - interval '25 hours') into strict v_from from tasker.incident_watch as w;
  if v_from >= v_until then
    return;
  end if;
  -- Each call counts at most one hour. So a database in which the duty did not run for a day catches up within minutes.
  v_until := least(v_until, date_trunc('hour', v_from, 'UTC') + interval '1 hour');
  insert into tasker.handler_hours as o (namespace, handler, bucket, results, failures)
  select n.name, k.name, v_from, sum(r.results), sum(r.failures)
    from tasker.step_rollups as r
    join tasker.named_tasks as d
      on d.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = d.task_namespace_uuid
    join tasker.named_steps as k
      on k.named_step_uuid = r.named_step_uuid
   where r.bucket >= v_from
     and r.bucket < v_until
   group by 1, 2
  on conflict (namespace, handler, bucket) do update
     set results  = excluded.results,
         failures = excluded.failures;
  update tasker.incident_watch set hours_until = v_until;
  delete from tasker.handler_hours as o where o.bucket < v_now - interval '2 days';
  -- It is enough to delete once an hour, because a judgement reads no ended incident.
  delete from tasker.error_counts as o where o.bucket < v_now - interval '2 hours';
  delete from tasker.error_hours as o where o.bucket < v_now - interval '2 days';
  delete from tasker.error_causes as o
   where o.last_at < v_now - interval '30 days'
     and not exists (select from tasker.error_steps as s where s.fingerprint = o.fingerprint);
  delete from tasker.error_stands as o where o.failed = 0 and o.retrying = 0;
  delete from tasker.incidents as i where i.ended_at < v_now - interval '7 days';
  delete from tasker.incident_acknowledgements as a
   where a.acknowledged_at < v_now - interval '30 days'
     and not exists (select from tasker.incidents as i where i.incident = a.incident);
end;
$$;

comment on function tasker.count_handler_hours is
$$Adds the results and failures of the last full hour to tasker.handler_hours. Deletes counts, causes and ended
incidents that are no longer needed.$$;
