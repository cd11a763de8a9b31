begin;
select plan(5);

select tasker_test.freeze();
select tasker.ensure_task_queue('orchestration_step_results');
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select from tasker_test.claim();
select tasker_test.record('a');
select pgmq.purge_queue('orchestration_step_results');
select is(tasker.process_step_results(), 1, 'a result is processed without a message');
select is(tasker_test.the_state(), 'complete', 'the task completes');
select from tasker.pgmq_send_with_notify('orchestration_step_results', '{"task_uuid": "nonsense"}');
select is(tasker.process_step_results(), 0, 'a message without a result does no harm');
select is_empty($$ select from tasker.peek_queue('orchestration_step_results', 10) $$, 'the message is deleted');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
