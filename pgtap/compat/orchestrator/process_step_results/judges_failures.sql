begin;
select plan(12);

select tasker_test.freeze();
select tasker.set_setting('backoff_jitter', '0');
select tasker.register_task_template('{"namespace": "test", "name": "wide", "steps": [
  {"name": "again"}, {"name": "asked"}, {"name": "permanent"}, {"name": "once", "retry": {"max_attempts": 1}}, {"name": "never", "retry": {"retryable": false}}
]}');
select tasker_test.launch('wide');
select from tasker_test.claim();
select ok(
  tasker_test.record_error('again') and tasker_test.record_error('asked', p_backoff => 45) and tasker_test.record_error('permanent', true)
    and tasker_test.record_error('once') and tasker_test.record_error('never'),
  'all failures are recorded'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.pass('10 seconds');
select is(tasker.process_step_results(), 5, 'all failures are processed');
select is(tasker_test.the_steps(), 'again waiting_for_retry, asked waiting_for_retry, permanent error, once error, never error', 'each step waits for a retry or has failed, as it should');
select results_eq(
  $$ select s.name, s.next_retry_at - tasker.clock() from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.next_retry_at is not null order by 1 $$,
  $$ values ('again', interval '2 seconds'), ('asked', '45 seconds') $$, 'the wait counts from the processing'
);
select is(tasker_test.the_state(), 'waiting_for_retry', 'the task waits for a retry');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.pass('1 minute');
select is((select array_agg(c.name order by c.name) from tasker_test.claim() as c), '{again,asked}', 'the next attempts are claimed');
select ok(tasker_test.record('again') and tasker_test.record('asked'), 'the next attempts succeed');
select is(tasker.process_step_results(), 2, 'both results are processed');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the task is blocked by the steps that failed for good');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
