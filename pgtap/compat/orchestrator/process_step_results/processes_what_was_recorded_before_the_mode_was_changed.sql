begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_namespace('test', p_result_mode => 'deferred');
select tasker_test.register('chain', 'a', 'b a');
select tasker_test.launch('chain');
select from tasker_test.claim();
select is(tasker_test.complete('a'), 'recorded', 'a result is recorded in the deferred mode');
select tasker.register_namespace('test', p_result_mode => 'immediate');
select is(tasker.process_step_results(), 1, 'an orchestrator processes it in the direct mode');
select from tasker_test.claim();
select is(tasker_test.complete('b'), 'completed', 'the next result is applied at once');
select is(tasker_test.the_state(), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
