begin;
select plan(5);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"max_retries": 1, "failed_ttl_seconds": 60}');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.fail_echo(:'task');
select tasker_test.pass('5 seconds');
select tasker_test.claim_echo();
select is(tasker_test.fail_echo(:'task', 2), 'failed', 'the task has failed');

select is(tasklib.retry_task(:'task'), true, 'the first call returns true');
select is(tasklib.retry_task(:'task'), false, 'a second call returns false');
select results_eq(
  format($$ select t.state::text, t.ready, t.retry_count, t.claim_no, t.error, t.completed_at, t.expires_at from tasklib.tasks as t where t.id = %L $$, :'task'),
  $$ values ('pending', true, 0, 2, 'it broke', null::timestamptz, null::timestamptz) $$, 'the task is ready with all its retries, and keeps its claim number and error'
);
select is((select c.claim_no from tasker_test.claim_echo() as c), 3, 'the next claim has the next claim number');

select * from finish();
rollback;
