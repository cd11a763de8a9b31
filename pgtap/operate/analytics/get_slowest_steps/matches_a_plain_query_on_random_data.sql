begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:07:13Z');
select tasker_test.register_diamond();
select tasker_test.register('pair', 'one', 'two one');
select setseed(0.16);
select tasker_test.random_work(120);
create temporary table since as select date_trunc('minute', tasker.clock() - interval '150 minutes') as at;
create temporary table wanted as
  select w.named_step_uuid,
         round(coalesce(avg(a.execution_time_ms), 0) / 1000, 3) as avg,
         round(coalesce(max(a.execution_time_ms), 0) / 1000.0, 3) as max,
         round(coalesce(min(a.execution_time_ms), 0) / 1000.0, 3) as min,
         count(*)::integer as executions,
         count(*) filter (where not a.success)::integer as errors,
         max(a.recorded_at) as last_at,
         percentile_disc(0.5) within group (order by a.execution_time_ms) as p50,
         percentile_disc(0.95) within group (order by a.execution_time_ms) as p95,
         percentile_disc(0.99) within group (order by a.execution_time_ms) as p99
    from tasker.workflow_step_result_audit as a
    join tasker.workflow_steps as w on w.task_uuid = a.task_uuid and w.step_no = a.step_no
   where a.recorded_at >= (select s.at from since as s)
   group by w.named_step_uuid;
create temporary table have as select s.* from since as b cross join lateral tasker.get_slowest_steps(b.at) as s;

select set_eq(
  'select h.named_step_uuid, h.avg_duration_seconds, h.max_duration_seconds, h.min_duration_seconds, h.execution_count, h.error_count, h.last_executed_at from have as h',
  'select w.named_step_uuid, w.avg, w.max, w.min, w.executions, w.errors, w.last_at from wanted as w',
  'averages, extremes and counts are exact'
);
select is_empty(
  $$
  select p.want, p.have
    from have as h
    join wanted as w on w.named_step_uuid = h.named_step_uuid
   cross join lateral (values
     (w.p50, h.p50_duration_seconds), (w.p95, h.p95_duration_seconds), (w.p99, h.p99_duration_seconds)
   ) as p (want, have)
   where abs(p.have - p.want / 1000.0) > 0.1 * p.want / 1000.0 + 0.001
  $$,
  'percentiles are within ten percent'
);
select results_eq(
  'select h.named_step_uuid from have as h',
  'select w.named_step_uuid from wanted as w order by w.avg desc', 'the slowest step comes first'
);

select * from finish();
rollback;
