begin;
select plan(2);

select tasker_test.freeze('2026-11-21 10:07:13Z');
select tasker_test.register_diamond();
select tasker_test.register('pair', 'one', 'two one');
select setseed(0.16);
select tasker_test.random_work(120);
create temporary table since as select date_trunc('minute', tasker.clock() - interval '150 minutes') as at;
create temporary table wanted as
  select t.named_task_uuid,
         avg(d.ms) as avg_ms,
         count(*)::integer as executions,
         round(avg(t.total_steps), 2) as steps,
         count(*) filter (where l.to_state = 'error')::integer as errors,
         max(l.created_at) as last_at,
         percentile_disc(0.5) within group (order by d.ms) as p50
    from tasker.task_transition_log as l
    join tasker.tasks as t on t.task_uuid = l.task_uuid
   cross join lateral (select floor(extract(epoch from l.created_at - t.started_at) * 1000) as ms) as d
   where l.to_state in ('complete', 'error', 'cancelled', 'resolved_manually')
     and l.created_at >= (select s.at from since as s)
   group by t.named_task_uuid;
create temporary table have as select s.* from since as b cross join lateral tasker.get_slowest_tasks(b.at) as s;

select set_eq(
  'select h.named_task_uuid, h.avg_duration_seconds, h.execution_count, h.avg_step_count, h.error_count, h.last_executed_at from have as h',
  'select w.named_task_uuid, round(w.avg_ms / 1000, 3), w.executions, w.steps, w.errors, w.last_at from wanted as w',
  'averages and counts are exact'
);
select is_empty(
  $$ select h.p50_duration_seconds, w.p50
       from have as h join wanted as w on w.named_task_uuid = h.named_task_uuid
      where abs(h.p50_duration_seconds * 1000 - w.p50) > 0.1 * w.p50 + 1 $$,
  'percentiles are within ten percent'
);

select * from finish();
rollback;
