create or replace function tasker.results_of_last_minute()
  returns setof tasker.handler_hours
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
declare
  -- The number of results a second, according to the newest rollups.
  v_rate numeric := (select sum(r.results) / 300 from tasker.work_rollups as r where r.bucket > tasker.clock() - interval '6 minutes');
begin
  return query
  select
    n.name, k.name, date_trunc('hour', tasker.clock(), 'UTC'),
    count(*), count(*) filter (where not a.success)
  from (
    select a.task_uuid, a.step_no, a.success
      from tasker.step_result_log as a
     where a.recorded_at > tasker.clock() - make_interval(secs => least(60, 350 / greatest(v_rate, 1))::double precision)
     limit 350
  ) as a
  join tasker.workflow_steps as s
    on s.task_uuid = a.task_uuid
   and s.step_no = a.step_no
  join tasker.tasks as t
    on t.task_uuid = a.task_uuid
  join tasker.named_tasks as d
    on d.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = d.task_namespace_uuid
  join tasker.named_steps as k
    on k.named_step_uuid = s.named_step_uuid
  group by 1, 2;
end;
$$;

comment on function tasker.results_of_last_minute is
$$Returns the results and failures of each handler within the last minute. Counts them from the log, because
tasker.step_rollups can be a minute old. If the last minute has more than 350 results, counts only the newest, at most
350 of them. A sample is enough, because only the share of failures matters.$$;
