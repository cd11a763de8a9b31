begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.launch();
select tasker_test.drain();
select results_eq(
  'select h.complete_tasks, h.total_tasks, h.complete_steps from tasker.get_system_health_counts() as h',
  'values (1::bigint, 1::bigint, 4::bigint)', 'counts are complete before the first rollup'
);
select tasker.refresh_analytics();
select tasker_test.pass('1 hour');
select tasker.refresh_analytics();
select tasker_test.pass('1 hour');
select tasker.refresh_analytics();
select tasker_test.launch();
select tasker_test.drain();
select results_eq(
  'select h.complete_tasks, h.total_tasks, h.complete_steps from tasker.get_system_health_counts() as h',
  'values (2::bigint, 2::bigint, 8::bigint)', 'counts include what happened since the last rollup'
);
select results_eq(
  'select m.completion_count, m.step_throughput, m.task_throughput, m.system_health_score > 0.9 from tasker.get_analytics_metrics() as m',
  $$ values (1::bigint, 4::bigint, 1::bigint, true) $$, 'the metrics of the last hour include it, too'
);
select results_eq(
  $$ select m.completion_count, m.step_throughput from tasker.get_analytics_metrics(tasker.clock() - interval '3 hours') as m $$,
  $$ values (2::bigint, 8::bigint) $$, 'the metrics of a longer period count nothing twice'
);

create or replace function tasker.fresh_since() returns timestamptz language sql stable as $$ select null::timestamptz $$;
select results_eq(
  'select h.complete_tasks from tasker.get_system_health_counts() as h',
  'values (1::bigint)', 'counts are as of the last rollup if there is too much to count'
);

select * from finish();
rollback;
