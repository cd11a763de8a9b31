begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:07:13Z');
select tasker_test.register_diamond();
select tasker_test.register('pair', 'one', 'two one');
select setseed(0.16);
select tasker_test.random_work(120);
create temporary table since (at timestamptz);
insert into since select date_trunc('minute', tasker.clock() - make_interval(mins => m)) from unnest(array[5, 61, 137, 600]) as m;
-- Rollups of minutes are kept for two days; all periods lie within them.
select is_empty(
  $$
  select s.at, m.*
    from since as s
   cross join lateral (
     select a.task_throughput, a.completion_count, a.error_count, a.step_throughput,
            a.avg_task_duration, a.avg_step_duration, a.completion_rate, a.error_rate
       from tasker.get_analytics_metrics(s.at) as a
   ) as m
   where m is distinct from (
     select row(
       count(*), count(*) filter (where l.to_state = 'complete'), count(*) filter (where l.to_state = 'error'),
       (select count(*) from tasker.workflow_step_result_audit as a where a.recorded_at >= s.at),
       coalesce(round(avg(floor(extract(epoch from l.created_at - t.started_at) * 1000)) filter (where l.to_state = 'complete') / 1000, 3), 0),
       (select coalesce(round(avg(a.execution_time_ms) / 1000, 3), 0) from tasker.workflow_step_result_audit as a where a.recorded_at >= s.at),
       coalesce(round(count(*) filter (where l.to_state = 'complete') / nullif(count(*), 0)::numeric, 4), 0),
       coalesce(round(count(*) filter (where l.to_state = 'error') / nullif(count(*), 0)::numeric, 4), 0)
     )
       from tasker.task_transition_log as l
       join tasker.tasks as t on t.task_uuid = l.task_uuid
      where l.to_state in ('complete', 'error', 'cancelled', 'resolved_manually')
        and l.created_at >= s.at
   )
  $$,
  'the metrics match a plain query for periods of minutes, of hours and of both'
);
select is_empty(
  $$
  select * from (
    select h.complete_tasks, h.error_tasks, h.cancelled_tasks, h.complete_steps, h.error_steps, h.cancelled_steps
      from tasker.get_system_health_counts() as h
  ) as h
  where h is distinct from (
    select row(
      (select count(*) from tasker.tasks where state = 'complete'), (select count(*) from tasker.tasks where state = 'error'),
      (select count(*) from tasker.tasks where state = 'cancelled'), (select count(*) from tasker.workflow_steps where state = 'complete'),
      (select count(*) from tasker.workflow_steps where state = 'error'), (select count(*) from tasker.workflow_steps where state = 'cancelled')
    )
  )
  $$,
  'health counts match a plain query over settled and unsettled totals'
);
select cmp_ok(
  (select sum(o.completed) from tasker.task_totals as o where o.settled), '>', 0::numeric, 'some totals are settled'
);
select cmp_ok((select count(*) from tasker.step_hours), '>', 0::bigint, 'the materialised view has rows');

select * from finish();
rollback;
