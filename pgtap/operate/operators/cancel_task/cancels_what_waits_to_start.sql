begin;
select plan(7);

select tasker_test.freeze();

select tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour', p_deadline => tasker.clock() + interval '1 day');
select ok(tasker.cancel_task(tasker_test.the_task()), 'cancel_task cancels a task whose start lies ahead');
select is_empty('select from tasker.timers where task_uuid = tasker_test.the_task()', 'no timer is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.create_task(p_deferred => true);
select ok(tasker.cancel_task(tasker_test.the_task()), 'cancel_task cancels a task that waits for an orchestrator');
select is_empty('select from tasker.waiting_tasks where task_uuid = tasker_test.the_task()', 'the task no longer waits for an orchestrator');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.pass('2 days');
select is(tasker_test.orchestrate(), '0 requests, 0 timers, 0 tasks, 0 lost, 0 results', 'an orchestrator finds nothing to do');

select * from finish();
rollback;
