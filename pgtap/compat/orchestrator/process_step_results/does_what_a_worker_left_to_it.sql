begin;
select plan(20);

select tasker_test.freeze();
select tasker.register_namespace('test', p_result_mode => 'deferred');
select tasker_test.launch();
select from tasker_test.claim();
select results_eq(
  $$ select a.answer, a.next_retry_at from tasker.complete_steps(array[tasker_test.the_step('top')], '{1}', array['{"n": 1}']::jsonb[], '{9}') as a $$,
  $$ values ('recorded', null::timestamptz) $$, 'the result is recorded, not applied'
);
select is(tasker_test.the_steps(), 'top enqueued_for_orchestration, left pending, right pending, bottom pending', 'the step waits for an orchestrator');
select is(tasker_test.the_state(), 'steps_in_process', 'the task has not moved');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select results_eq(
  $$ select a.success, a.execution_time_ms, a.worker_uuid from tasker.workflow_step_result_audit as a where a.task_uuid = tasker_test.the_task() $$,
  $$ values (true, 9::bigint, tasker_test.worker()) $$, 'the audit row is written when the result is recorded'
);
select results_eq(
  $$ select p.message from tasker.peek_queue('orchestration_step_results', 10) as p $$,
  $$ select jsonb_build_object('task_uuid', tasker_test.the_task(), 'step_uuid', tasker_test.the_step('top'), 'correlation_id', tasker_test.the_task()) $$,
  'a message announces the result'
);
select is_empty('select from tasker_test.claim()', 'no worker gets the step');
select is(tasker.process_step_results(), 1, 'an orchestrator processes one result');
select is(tasker_test.the_steps(), 'top complete, left enqueued, right enqueued, bottom pending', 'the children are enqueued');
select is_empty($$ select from tasker.peek_queue('orchestration_step_results', 10) $$, 'the message is deleted');
select is((select s.results from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), '{"n": 1}'::jsonb, 'the result is stored');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is(tasker.process_step_results(), 0, 'a second call finds nothing');

select from tasker_test.claim();
select is(tasker_test.complete('left'), 'recorded', 'the next result is recorded');
select is(tasker_test.complete('right'), 'recorded', 'a further result is recorded');
select is(tasker.process_step_results(), 2, 'an orchestrator processes both');
select from tasker_test.claim();
select is(tasker_test.complete('bottom'), 'recorded', 'the last result is recorded');
select is(tasker.process_step_results(), 1, 'an orchestrator processes it');
select is(tasker_test.the_state(), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
