begin;
select plan(19);

select tasker_test.freeze();
select tasker.ensure_task_queue('orchestration_step_results');
select tasker_test.launch();
select from tasker_test.claim();
select ok(tasker_test.record('top', '{"n": 1}'), 'a direct transition records the result');
select is(tasker_test.the_steps(), 'top enqueued_for_orchestration, left pending, right pending, bottom pending', 'the step waits for an orchestrator');
select is(tasker_test.the_state(), 'steps_in_process', 'the task has not moved');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select results_eq(
  $$ select a.success, a.worker_uuid from tasker.workflow_step_result_audit as a where a.task_uuid = tasker_test.the_task() $$,
  $$ values (true, tasker_test.worker()) $$, 'the audit row is written when the result is recorded'
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
select ok(tasker_test.record('left') and tasker_test.record('right'), 'the next results are recorded');
select is(tasker.process_step_results(), 2, 'an orchestrator processes both');
select from tasker_test.claim();
select ok(tasker_test.record('bottom'), 'the last result is recorded');
select is(tasker.process_step_results(), 1, 'an orchestrator processes it');
select is(tasker_test.the_state(), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
