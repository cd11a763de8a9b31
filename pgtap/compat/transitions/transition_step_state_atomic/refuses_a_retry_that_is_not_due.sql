begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker_test.fail_step(tasker_test.the_step('top'), '{"backoff_seconds": 60}');
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');

prepare retry as
  select tasker.transition_step_state_atomic(tasker_test.the_step('top'), 'waiting_for_retry', 'pending');

select tasker_test.pass('59.999999 seconds');
select throws_ok(
  'execute retry',
  'TK409',
  format(
    'step %s cannot leave waiting_for_retry by Retry: its next attempt is not due yet',
    tasker_test.the_step('top')
  ),
  'a retry a microsecond too early is refused'
);

select tasker_test.pass('0.000001 seconds');
select results_eq('execute retry', 'values (true)', 'a retry in time is accepted');

select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'error');
select lives_ok(
  $$ select tasker_test.move_step(tasker_test.the_step('top'), 'pending') $$,
  'an operator''s retry is accepted before its time'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
