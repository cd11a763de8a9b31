begin;
select plan(6);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select tasker_test.make_task_in('complete');
select tasker_test.pass('3 minutes');
select tasker_test.make_task_in('complete');
select is(tasker.refresh_analytics(), tasker.clock(), 'it rolls up until now');
select is((select count(distinct r.bucket) from tasker.step_rollups as r), 2::bigint, 'two minutes have a row each');
create temporary table first as select * from tasker.get_slowest_steps('2026-11-21 10:00Z');
select tasker_test.pass('3 days');
select tasker.refresh_analytics();
select tasker_test.pass('2 hours');
select tasker.refresh_analytics();
select results_eq('select distinct r.bucket from tasker.step_rollups as r', $$ values ('2026-11-21 10:00Z'::timestamptz) $$, 'old minutes are merged into their hour');
select results_eq($$ select * from tasker.get_slowest_steps('2026-11-21 10:00Z') $$, 'select * from first', 'the report is the same after the merge');
select is((select count(distinct h.bucket) from tasker.task_hours as h), 1::bigint, 'the view of hours has one hour');
select tasker_test.pass('90 days');
select tasker.refresh_analytics();
select is_empty('select from tasker.step_rollups', 'rollups older than the retention are deleted');

select * from finish();
rollback;
