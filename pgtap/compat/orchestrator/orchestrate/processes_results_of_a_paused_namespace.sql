begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.record('top');
select tasker.pause_namespace('test');

select is(tasker.next_due_at(null, true), tasker.clock(), 'a recorded result is due for an orchestrator');
select is(tasker_test.orchestrate(), '0 requests, 1 timers, 0 tasks, 0 lost, 1 results', 'the orchestrator processes the recorded result');
select is(tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=enqueued bottom=pending', 'the task continues');
select is(tasker.next_due_at(null, true), null::timestamptz, 'next_due_at is null while ready steps wait for the end of the pause');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
