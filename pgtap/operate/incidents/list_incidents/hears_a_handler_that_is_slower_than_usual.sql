begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
insert into tasker.step_rollups (bucket, named_task_uuid, named_step_uuid, results, failures, timed, duration_ms, min_ms, max_ms, last_at, durations)
select b.bucket, k.named_task_uuid, s.named_step_uuid, 100, 0, 100, 100 * b.ms, b.ms, b.ms, b.bucket, tasker.duration_histogram(tasker.duration_bin(b.ms), 100)
  from (
    select tasker.clock() - make_interval(days => d) as bucket, 1000 as ms from generate_series(1, 7) as d
    union all
    select tasker.clock() - interval '5 minutes', 1500
  ) as b (bucket, ms)
 cross join tasker.named_tasks as k
 cross join tasker.named_steps as s
 where k.name = 'order' and s.name = 'charge';
update tasker.rollup_state set hours_until = '2026-11-21 00:00:00Z', settled_until = '2026-11-21 00:00:00Z';
refresh materialized view tasker.step_hours;
select is_empty('select m.incident from tasker.measure_slow() as m', 'half as slow again as usual is not listed');
update tasker.step_rollups set max_ms = 5000, min_ms = 5000, durations = tasker.duration_histogram(tasker.duration_bin(5000), 100) where bucket = tasker.clock() - interval '5 minutes';
select results_eq(
  'select m.incident, m.severity, (m.figures ->> ''p95_seconds'')::numeric, (m.figures ->> ''usual_p95_seconds'')::numeric from tasker.measure_slow() as m',
  $$ values ('slower:test/charge', 2::smallint, 5.0, 1.0) $$, 'five times the usual 95th percentile of the hour is listed'
);
update tasker.step_rollups set timed = 5 where bucket = tasker.clock() - interval '5 minutes';
select is_empty('select m.incident from tasker.measure_slow() as m', 'a few durations say nothing');

select * from finish();
rollback;
