begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register('two', 'a', 'b', 'c a', 'd b');
select tasker_test.launch('two');
select is(tasker_test.the_state(), 'steps_in_process', 'it runs');
select from tasker_test.claim();
select tasker_test.fail('a');
select is(tasker_test.the_state(), 'steps_in_process', 'while another step runs it goes on');
select tasker_test.fail('b', 'no', true);
select is(tasker_test.the_state(), 'waiting_for_retry', 'only a retry can move it');
select tasker_test.pass('1 minute');
select from tasker_test.claim();
select is(tasker_test.the_state(), 'steps_in_process', 'it runs again');
select tasker_test.complete('a');
select from tasker_test.claim();
select tasker_test.fail('c', 'no', true);
select is(tasker_test.the_state(), 'blocked_by_failures', 'nothing can move it');
select tasker.retry_step(tasker_test.the_step('b'), 'me', 'again');
select is(tasker_test.the_state(), 'steps_in_process', 'an operator can');
select tasker.resolve_step_manually(tasker_test.the_step('c'), 'me', 'seen to');
select is(tasker_test.drain(), 2::bigint, 'b, then d');
select is(tasker_test.the_state(), 'complete', 'to the end');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
