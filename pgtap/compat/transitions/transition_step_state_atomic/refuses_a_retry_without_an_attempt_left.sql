begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register_diamond();
update tasker.named_tasks_named_steps set max_attempts = 2 where step_name = 'top';
update tasker.named_tasks_named_steps set retryable = false where step_name = 'left';
select tasker_test.start_task();

select tasker_test.fail_step(tasker_test.the_step('top'), '{"backoff_seconds": 0}');
select lives_ok(
  $$ select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry', 'pending') $$,
  'a retry after the first of two attempts is accepted'
);

select tasker_test.fail_step(tasker_test.the_step('top'));
select throws_ok(
  $$ select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry') $$,
  'TK409',
  format(
    'step %s cannot leave enqueued_as_error_for_orchestration by WaitForRetry: it has no attempts left',
    tasker_test.the_step('top')
  ),
  'a retry after the second of two attempts is refused'
);
select lives_ok($$ select tasker_test.move_step(tasker_test.the_step('top'), 'error') $$, 'the step can fail for good');

select tasker_test.move_step(tasker_test.the_step('top'), 'resolved_manually');
select tasker_test.fail_step(tasker_test.the_step('left'));
select throws_ok(
  $$ select tasker_test.move_step(tasker_test.the_step('left'), 'waiting_for_retry') $$,
  'TK409',
  format(
    'step %s cannot leave enqueued_as_error_for_orchestration by WaitForRetry: it has no attempts left',
    tasker_test.the_step('left')
  ),
  'a retry of a step that is not retryable is refused'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
