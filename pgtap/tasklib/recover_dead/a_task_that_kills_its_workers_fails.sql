begin;
select plan(2);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"max_retries": 1}');
select tasker_test.echo() as task \gset

select tasker_test.claim_echo();
select tasker_test.pass('10 minutes');
select tasker_test.claim_echo();
select tasker_test.pass('10 minutes');
select is_empty('select * from tasker_test.claim_echo()', 'a task whose retries are used up cannot be claimed');
select results_eq(
  format($$ select t.state::text, t.retry_count, t.completed_at from tasklib.tasks as t where t.id = %L $$, :'task'),
  $$ values ('failed', 1, '2026-03-01 12:20+00'::timestamptz) $$, 'the task has failed'
);

select * from finish();
rollback;
