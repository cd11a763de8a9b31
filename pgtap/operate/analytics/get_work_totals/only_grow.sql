begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select tasker_test.make_task_in(s) from unnest(array['complete', 'error', 'cancelled', 'resolved_manually']) as s;
select tasker.roll_up();
create temporary table first as select * from tasker.get_work_totals();
select results_eq(
  'select f.namespace_name, f.tasks_started, f.tasks_completed, f.tasks_failed, f.tasks_cancelled, f.tasks_resolved, f.step_results, f.step_failures from first as f',
  $$ values ('test', 3::bigint, 1::bigint, 1::bigint, 1::bigint, 1::bigint, 5::bigint, 1::bigint) $$, 'totals count what was done; the cancelled task had not started'
);
select tasker_test.pass('3 hours');
select tasker.refresh_analytics();
select results_eq('select * from tasker.get_work_totals()', 'select * from first', 'totals stay the same when they are settled');
select tasker_test.pass('200 days');
select tasker.refresh_analytics();
select tasker_test.pass('2 hours');
select tasker.refresh_analytics();
select results_eq('select * from tasker.get_work_totals()', 'select * from first', 'totals stay the same after the rollups are dropped');

select * from finish();
rollback;
