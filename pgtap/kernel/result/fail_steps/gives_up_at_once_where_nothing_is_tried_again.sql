begin;
select plan(5);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "wide", "steps": [
  {"name": "never", "retry": {"retryable": false, "max_attempts": 5}}, {"name": "once", "retry": {"max_attempts": 1}}, {"name": "asked"}, {"name": "again"}
]}');
select tasker_test.launch('wide');
create temporary table claimed as select c.* from tasker_test.claim() as c;
select results_eq(
  $$ select c.name, a.answer::text, a.next_retry_at is null
       from (select array_agg(c.step_uuid) as s, array_agg(c.claim_no) as n, array_agg('no'::text) as e, array_agg(nullif(c.name = 'asked', false) or nullif(c.name <> 'again', true)) as p from claimed as c) as x
      cross join lateral tasker.fail_steps(x.s, x.n, x.e, x.p) as a
       join claimed as c using (step_uuid) order by c.step_no $$,
  $$ values ('never', 'failed', true), ('once', 'failed', true), ('asked', 'failed', true), ('again', 'retrying', false) $$,
  'a failure is final if the template, the attempts or the worker say so'
);
select is(tasker_test.the_state(), 'waiting_for_retry', 'the task waits for the step that is retried');
select tasker_test.pass('1 minute');
select is(tasker_test.drain(), 1::bigint, 'that step succeeds');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the task is blocked');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
