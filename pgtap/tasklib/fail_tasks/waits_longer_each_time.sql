begin;
select plan(10);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasker_test.echo() as task \gset

select tasker_test.claim_echo();
select is(tasker_test.fail_echo(:'task', 1), 'retrying', 'the first failure is retried');
select results_eq(
  format($$ select t.state::text, t.retry_count, t.next_retry_at, t.scheduled_at, t.error, t.locked_until, t.worker_id, t.completed_at
              from tasklib.tasks as t where t.id = %L $$, :'task'),
  $$ values ('pending', 1, '2026-03-01 12:00:05+00'::timestamptz, '2026-03-01 12:00:05+00'::timestamptz, 'it broke',
             null::timestamptz, null::text, null::timestamptz) $$, 'the task is pending, due after 5 seconds'
);
select tasker_test.pass('4 seconds');
select is_empty('select * from tasker_test.claim_echo()', 'the task cannot be claimed before that');
select tasker_test.pass('1 second');
select is((select c.claim_no from tasker_test.claim_echo() as c), 2, 'the task is claimed after 5 seconds, with the next claim number');
select tasker_test.fail_echo(:'task', 2);
select is((tasker_test.tasklib_task(:'task')).next_retry_at, '2026-03-01 12:00:15+00'::timestamptz, 'the second retry is due after 10 seconds');
select tasker_test.pass('10 seconds');
select tasker_test.claim_echo();
select tasker_test.fail_echo(:'task', 3);
select is((tasker_test.tasklib_task(:'task')).next_retry_at, '2026-03-01 12:00:35+00'::timestamptz, 'the third retry is due after 20 seconds');
select tasker_test.pass('20 seconds');
select tasker_test.claim_echo();
select is(tasker_test.fail_echo(:'task', 4, 'it broke for good'), 'failed', 'the fourth failure is final');
select results_eq(
  format($$ select t.state::text, t.retry_count, t.next_retry_at, t.completed_at, t.error from tasklib.tasks as t where t.id = %L $$, :'task'),
  $$ values ('failed', 3, null::timestamptz, '2026-03-01 12:00:35+00'::timestamptz, 'it broke for good') $$, 'the row has the failed state, the time and the error'
);
select tasker_test.pass('1 day');
select is_empty('select * from tasker_test.claim_echo()', 'a failed task cannot be claimed');
select is((select string_agg(r.outcome, ' ' order by r.claim_no) from tasklib.task_runs as r), 'retrying retrying retrying failed', 'every run is recorded');

select * from finish();
rollback;
