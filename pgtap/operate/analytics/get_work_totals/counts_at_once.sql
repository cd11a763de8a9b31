begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
create temporary table tasks as select (tasker.create_task('test', 'one', jsonb_build_object('n', n))).task_uuid from generate_series(1, 3) as n;
create temporary table claims as select c.* from tasker_test.claim() as c;
select tasker_test.pass('2 seconds');
select from tasker.complete_steps((select array_agg(c.step_uuid) from (select * from claims limit 2) as c), '{1,1}', array['{}', '{}']::jsonb[], '{1500,500}');
select from tasker.fail_steps((select array_agg(c.step_uuid) from (select * from claims offset 2) as c), '{1}', '{no}', '{true}', null, '{250}');

prepare totals as select t.tasks_started, t.tasks_completed, t.step_results, t.step_failures, t.execution_seconds from tasker.get_work_totals() as t where t.namespace_name = 'test';
prepare steps as select s.step_name, s.execution_count, s.error_count, s.avg_duration_seconds, s.max_duration_seconds from tasker.get_slowest_steps() as s;
prepare tasks as select s.task_name, s.execution_count, s.avg_duration_seconds from tasker.get_slowest_tasks() as s;
select results_eq('totals', $$ values (3::bigint, 2::bigint, 3::bigint, 1::bigint, 2.25::double precision) $$, 'totals count what was not rolled up');
select results_eq('steps', $$ values ('a', 3, 1, 0.750, 1.500) $$, 'get_slowest_steps counts what was not rolled up');
select results_eq('tasks', $$ values ('one', 2, 2.000) $$, 'get_slowest_tasks counts what was not rolled up');
select is((select t.step_results from tasker.get_work_totals(true) as t where t.namespace_name = 'test'), 0::bigint, 'a counter is as of the last rollup');
select tasker.refresh_analytics();
select results_eq('totals', $$ values (3::bigint, 2::bigint, 3::bigint, 1::bigint, 2.25::double precision) $$, 'totals are the same after a rollup');
select results_eq('steps', $$ values ('a', 3, 1, 0.750, 1.500) $$, 'the slowest steps are the same after a rollup');
select results_eq('tasks', $$ values ('one', 2, 2.000) $$, 'the slowest tasks are the same after a rollup');
select is((select t.step_results from tasker.get_work_totals(true) as t where t.namespace_name = 'test'), 3::bigint, 'a rollup counts for counters');
select tasker_test.pass('2 days');
select is_empty('steps', 'work before the period does not count');

select * from finish();
rollback;
