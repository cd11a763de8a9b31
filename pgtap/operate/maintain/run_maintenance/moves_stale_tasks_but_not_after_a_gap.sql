begin;
select plan(5);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select from tasker.turns where name = 'maintenance' for update;
select tasker_test.make_task_in('waiting_for_dependencies');
select tasker_test.pass('3 hours');
update tasker.maintenance_duties set last_finished_at = tasker.clock() - interval '3 hours';
select is((select m.last_done is null from tasker.run_maintenance('staleness') as m), true, 'the first check after three hours without one moves nothing');
select is(tasker.get_current_task_state(tasker_test.the_task()), 'waiting_for_dependencies', 'the task keeps its state');
select tasker_test.pass('5 minutes');
select tasker.set_setting('stale_tasks_to_dlq', 'false');
select is((select m.last_done is null from tasker.run_maintenance('staleness') as m), true, 'a check moves nothing if stale_tasks_to_dlq is off');
select tasker.set_setting('stale_tasks_to_dlq', null);
select is((select m.last_done from tasker.run_maintenance('staleness') as m), 1::bigint, 'the next check moves the stale task');
select is(tasker.get_current_task_state(tasker_test.the_task()), 'error', 'the task is in error');

select * from finish();
rollback;
