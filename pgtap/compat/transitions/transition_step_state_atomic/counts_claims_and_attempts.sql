begin;
select plan(6);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.start_task();

prepare counts as
  select s.claim_no, s.attempts, s.lost_count, s.last_attempted_at
    from tasker.workflow_steps as s
   where s.workflow_step_uuid = tasker_test.the_step('top');

select results_eq('counts', 'values (0, 0, 0, null::timestamptz)', 'all counts are zero before the first claim');

select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select results_eq('counts', $$ values (1, 1, 0, timestamptz '2050-01-20 12:00:00+00') $$, 'a claim counts an attempt');

select tasker_test.pass('1 second');
select tasker_test.move_step(tasker_test.the_step('top'), 'enqueued', 'in_progress');
select results_eq(
  'counts', $$ values (2, 1, 0, timestamptz '2050-01-20 12:00:01+00') $$,
  'a release takes the attempt back and keeps the claim number'
);

select tasker_test.pass('1 hour');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'in_progress', 'enqueued', null, '{"event": "LeaseExpired"}'
);
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select results_eq(
  'counts', $$ values (3, 1, 1, timestamptz '2050-01-20 13:00:01+00') $$,
  'a lost lease counts a loss and takes the attempt back'
);

select tasker_test.move_step(tasker_test.the_step('top'), 'enqueued_as_error_for_orchestration', 'error', 'pending');
select results_eq(
  'counts', $$ values (3, 0, 0, timestamptz '2050-01-20 13:00:01+00') $$,
  'an operator''s retry resets the counts and keeps the claim number'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
