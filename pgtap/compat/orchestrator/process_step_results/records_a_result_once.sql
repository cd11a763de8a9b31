begin;
select plan(12);

select tasker_test.freeze();
select tasker.ensure_task_queue('orchestration_step_results');
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select from tasker_test.claim();
select ok(tasker_test.record('a', '1'), 'a result is recorded');
select ok(tasker_test.record_error('b'), 'a failure is recorded');
select tasker_test.remember_rows();
select ok(not tasker_test.record('a', '2'), 'a repeated result is not recorded');
select is(tasker_test.complete('a', '2'), 'already_complete', 'a worker''s result after it is answered as already complete');
select is(tasker_test.fail('b'), 'recorded', 'a worker''s failure after the failure is answered as recorded');
select is(tasker_test.complete('b'), 'stale', 'a result after the failure is stale');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is((select count(*) from tasker.peek_queue('orchestration_step_results', 10)), 2::bigint, 'two messages are in the queue');
select is(tasker.process_step_results(), 2, 'both results are processed');
select is(tasker.process_step_results(), 0, 'a second call processes nothing');
select is((select s.results from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('a')), '1'::jsonb, 'the first result is stored');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
