begin;
select plan(4);

select tasker_test.freeze(date_trunc('hour', now()));
select tasker_test.start_task();
select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select tasker_test.pass('1 second');

select ok(tasker.set_step_backoff_atomic(tasker_test.the_step('top'), 90), 'a step that waits for a retry waits longer');
select results_eq(
  $$
  select r.backoff_request_seconds, r.last_attempted_at, r.next_retry_at, r.effective_backoff_seconds
    from tasker.get_step_readiness_status(tasker_test.the_task(), array[tasker_test.the_step('top')]) as r
  $$,
  $$ values (90, date_trunc('hour', now()) + interval '1 seconds', date_trunc('hour', now()) + interval '91 seconds', 90::numeric) $$,
  'the step has the request, the attempt''s time and the new time'
);
select is_empty('select tasker_test.violations()', 'the timer has the new time');
select tasker.set_step_backoff_atomic(tasker_test.the_step('top'), 0);
select results_eq(
  $$ select r.name from tasker.get_ready_steps(tasker_test.the_task()) as r $$, $$ values ('top') $$,
  'a wait of zero makes the step ready'
);

select * from finish();
rollback;
