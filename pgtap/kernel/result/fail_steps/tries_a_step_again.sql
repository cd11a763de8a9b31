begin;
select plan(12);

select tasker_test.freeze();
select tasker.set_setting('backoff_jitter', '0');
select tasker_test.launch();
select from tasker_test.claim();
select results_eq(
  $$ select a.step_uuid, a.claim_no, a.answer::text, a.next_retry_at - tasker.clock() from tasker.fail_steps(array[tasker_test.the_step('top')], '{1}', '{no answer}') as a $$,
  $$ values (tasker_test.the_step('top'), 1, 'retrying', interval '2 seconds') $$, 'the step will be retried after two seconds'
);
select is(tasker_test.the_steps(), 'top waiting_for_retry, left pending, right pending, bottom pending', 'the step waits for its retry');
select is(tasker_test.the_state(), 'waiting_for_retry', 'the task waits for the retry');
select results_eq(
  $$ select s.last_error, s.last_failure_at = tasker.clock(), s.attempts, s.results from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top') $$,
  $$ values ('no answer', true, 1, null::jsonb) $$, 'the error is stored'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.pass('1999 milliseconds');
select is_empty('select from tasker_test.claim()', 'the step is not claimed before its time');
select tasker_test.pass('1 millisecond');
select results_eq('select c.attempt, c.claim_no from tasker_test.claim() as c', $$ values (2, 2) $$, 'the next attempt is claimed in time');
select is(tasker_test.the_state(), 'steps_in_process', 'the task continues');
select is(tasker_test.complete('top'), 'completed', 'the next attempt succeeds');
select is(tasker_test.drain(), 3::bigint, 'the other steps follow');
select is(tasker_test.the_state(), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
