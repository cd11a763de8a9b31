begin;
select plan(13);

select tasker_test.freeze();
select tasker.set_setting('backoff_jitter', '0');
select tasker.register_task_template('{"namespace": "test", "name": "wide", "steps": [
  {"name": "again"}, {"name": "asked"}, {"name": "permanent"}, {"name": "once", "retry": {"max_attempts": 1}}, {"name": "never", "retry": {"retryable": false}}
]}');
select tasker.register_namespace('test', p_result_mode => 'deferred');
select tasker_test.launch('wide');
create temporary table claimed as select c.* from tasker_test.claim() as c;
select is(
  (select array_agg(distinct a.answer)
     from (select array_agg(c.step_uuid order by c.step_no) as s, array_agg(c.claim_no) as n, array_agg('no'::text) as e from claimed as c) as x
    cross join lateral tasker.fail_steps(x.s, x.n, x.e, '{false,false,true,false,false}', '{null,45,null,null,null}') as a),
  '{recorded}', 'all failures are recorded'
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
select is(tasker_test.complete('again'), 'recorded', 'the first next attempt succeeds');
select is(tasker_test.complete('asked'), 'recorded', 'the second next attempt succeeds');
select is(tasker.process_step_results(), 2, 'both results are processed');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the task is blocked by the steps that failed for good');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
