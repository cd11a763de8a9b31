begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.pass('2 hours');

select is(tasker_test.orchestrate(), '0 requests, 0 timers, 0 tasks, 1 lost, 0 results', 'its lease has ended');
select is(tasker_test.states(), 'steps_in_process: top=enqueued left=pending right=pending bottom=pending', 'it is ready again');
select is(tasker_test.finish('top'), 'stale', 'the lost worker''s result comes too late');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
