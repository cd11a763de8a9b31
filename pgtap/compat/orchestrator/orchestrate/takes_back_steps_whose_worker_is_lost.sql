begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.pass('2 hours');

select is(tasker_test.orchestrate(), '0 requests, 0 timers, 0 tasks, 1 lost, 0 results', 'the orchestrator recovers a step whose lease has ended');
select is(tasker_test.states(), 'steps_in_process: top=enqueued left=pending right=pending bottom=pending', 'the step is ready again');
select is(tasker_test.finish('top'), 'stale', 'the result of the lost worker is stale');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
