begin;
select plan(7);

prepare move (text, text) as
  select tasker.transition_task_state_atomic(tasker_test.the_task(), $1, $2);

select tasker_test.make_task_in('enqueuing_steps');
select throws_ok(
  $$ execute move ('enqueuing_steps', 'steps_in_process') $$,
  'TK409',
  format(
    'task %s cannot go from enqueuing_steps to steps_in_process: none of its steps is in the pipeline',
    tasker_test.the_task()
  ),
  'steps_in_process without a step in the pipeline is refused'
);

select tasker_test.make_task_in('steps_in_process');
select throws_ok(
  $$ execute move ('steps_in_process', 'waiting_for_retry') $$,
  'TK409',
  format(
    'task %s cannot go from steps_in_process to waiting_for_retry: none of its steps waits for a retry',
    tasker_test.the_task()
  ),
  'waiting_for_retry without a step that waits for a retry is refused'
);

select tasker_test.make_task_in('evaluating_results');
select throws_ok(
  $$ execute move ('evaluating_results', 'waiting_for_retry') $$,
  'TK409',
  format(
    'task %s cannot go from evaluating_results to waiting_for_retry: none of its steps waits for a retry',
    tasker_test.the_task()
  ),
  'it is refused while evaluating, too'
);
select throws_ok(
  $$ execute move ('evaluating_results', 'blocked_by_failures') $$,
  'TK409',
  format(
    'task %s cannot go from evaluating_results to blocked_by_failures: none of its steps has failed',
    tasker_test.the_task()
  ),
  'blocked_by_failures without a failed step is refused'
);

select tasker_test.complete_step(tasker_test.the_step('top'));
select tasker_test.bring_step(tasker_test.the_step('left'), 'error');
select tasker_test.bring_step(tasker_test.the_step('right'), 'enqueued');
select throws_ok(
  $$ execute move ('evaluating_results', 'blocked_by_failures') $$,
  'TK409',
  format(
    'task %s cannot go from evaluating_results to blocked_by_failures: some of its steps can still move',
    tasker_test.the_task()
  ),
  'blocked_by_failures is refused while another step can move'
);

select tasker_test.fail_step(tasker_test.the_step('right'));
select tasker_test.move_step(tasker_test.the_step('right'), 'waiting_for_retry');
select throws_ok(
  $$ execute move ('evaluating_results', 'blocked_by_failures') $$,
  'TK409',
  format(
    'task %s cannot go from evaluating_results to blocked_by_failures: some of its steps can still move',
    tasker_test.the_task()
  ),
  'blocked_by_failures is refused while another step waits for a retry'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
