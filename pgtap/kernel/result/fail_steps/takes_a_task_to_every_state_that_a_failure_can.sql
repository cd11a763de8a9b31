begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register('two', 'a', 'b', 'c a', 'd b');
select tasker_test.launch('two');
select is(tasker_test.the_state(), 'steps_in_process', 'the task runs');
select from tasker_test.claim();
select tasker_test.fail('a');
select is(tasker_test.the_state(), 'steps_in_process', 'the task continues while another step runs');
select tasker_test.fail('b', 'no', true);
select is(tasker_test.the_state(), 'waiting_for_retry', 'the task waits for a retry when no other step can move');
select tasker_test.pass('1 minute');
select from tasker_test.claim();
select is(tasker_test.the_state(), 'steps_in_process', 'the task runs again');
select tasker_test.complete('a');
select from tasker_test.claim();
select tasker_test.fail('c', 'no', true);
select is(tasker_test.the_state(), 'blocked_by_failures', 'the task is blocked when no step can move');
select tasker.retry_step(tasker_test.the_step('b'), 'me', 'again');
select is(tasker_test.the_state(), 'steps_in_process', 'the task continues after an operator''s retry');
select tasker.resolve_step_manually(tasker_test.the_step('c'), 'me', 'seen to');
select is(tasker_test.drain(), 2::bigint, 'the remaining steps run');
select is(tasker_test.the_state(), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
