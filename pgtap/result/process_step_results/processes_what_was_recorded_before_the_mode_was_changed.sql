begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_namespace('test', p_result_mode => 'deferred');
select tasker_test.register('chain', 'a', 'b a');
select tasker_test.launch('chain');
select from tasker_test.claim();
select is(tasker_test.complete('a'), 'recorded', 'recorded in the old mode');
select tasker.register_namespace('test', p_result_mode => 'immediate');
select is(tasker.process_step_results(), 1, 'is processed in the new one');
select from tasker_test.claim();
select is(tasker_test.complete('b'), 'completed', 'where workers move tasks on');
select is(tasker_test.the_state(), 'complete', 'to the end');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
