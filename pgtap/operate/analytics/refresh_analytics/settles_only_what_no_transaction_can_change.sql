begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select tasker.refresh_analytics();
select tasker_test.make_task_in('complete');
select tasker_test.pass('10 minutes');
select tasker.refresh_analytics();
select is_empty('select from tasker.task_totals as o where o.settled', 'nothing is settled while a transaction that wrote it is open');
select tasker_test.pass('51 minutes');
select tasker.refresh_analytics();
select tasker_test.pass('61 minutes');
select tasker.refresh_analytics();
select results_eq('select o.completed from tasker.task_totals as o where o.settled', array[1::bigint], 'the total is settled after an hour, although the transaction is open');
select is((select h.complete_tasks from tasker.get_system_health_counts() as h), 1::bigint, 'the task is counted once');

select * from finish();
rollback;
