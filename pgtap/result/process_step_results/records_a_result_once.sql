begin;
select plan(13);

select tasker_test.freeze();
select tasker.register_namespace('test', p_result_mode => 'deferred');
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select from tasker_test.claim();
select is(tasker_test.complete('a', '1'), 'recorded', 'a result');
select is(tasker_test.fail('b'), 'recorded', 'a failure');
select tasker_test.remember_rows();
select is(tasker_test.complete('a', '2'), 'already_complete', 'the result once more');
select is(tasker_test.fail('a'), 'already_complete', 'or a failure after it');
select is(tasker_test.fail('b'), 'recorded', 'the failure once more');
select is(tasker_test.complete('b'), 'stale', 'a result after it');
select is_empty('select tasker_test.changed_tables()', 'nothing is changed');
select is((select count(*) from tasker.peek_queue('orchestration_step_results', 10)), 2::bigint, 'two messages');
select is(tasker.process_step_results(), 2, 'each is processed');
select is(tasker.process_step_results(), 0, 'once');
select is(tasker_test.complete('a', '3'), 'already_complete', 'and late ones are told so');
select is((select s.results from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('a')), '1'::jsonb, 'the first counts');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
