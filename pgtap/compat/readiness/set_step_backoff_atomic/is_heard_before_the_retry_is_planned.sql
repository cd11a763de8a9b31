begin;
select plan(3);

select tasker_test.freeze(date_trunc('hour', now()));
select tasker_test.start_task();
select tasker_test.fail_step(tasker_test.the_step('top'));

select ok(tasker.set_step_backoff_atomic(tasker_test.the_step('top'), 90), 'the backoff is accepted for a failure that waits to be processed');
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select is(
  (select r.next_retry_at from tasker.get_step_readiness_status(tasker_test.the_task(), array[tasker_test.the_step('top')]) as r),
  date_trunc('hour', now()) + interval '90 seconds', 'the retry waits as long as was asked'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
