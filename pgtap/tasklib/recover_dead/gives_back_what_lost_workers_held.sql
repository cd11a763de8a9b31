begin;
select plan(5);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasker_test.register_echo(p_name => 'other');
select tasker_test.echo() as task \gset
select tasker_test.echo(p_name => 'other') as other \gset
select tasker_test.claim_echo(), tasker_test.claim_echo(1, 'w', 'other');

select is(tasklib.recover_dead(), 0, 'no task is recovered before its lock ends');
select tasker_test.pass('10 minutes');
select is(tasklib.recover_dead(array['other']), 1, 'one name is recovered');
select is(tasklib.recover_dead(), 1, 'all names are recovered');
select results_eq(
  format($$ select t.state::text, t.ready, t.retry_count, t.worker_id, t.error from tasklib.tasks as t where t.id = %L $$, :'task'),
  $$ values ('pending', true, 1, null::text, 'worker w was lost: its lock ended at ' || '2026-03-01 12:10+00'::timestamptz) $$,
  'the task is due at once, with a retry counted and the reason'
);
select throws_ok($$ select tasklib.recover_dead(null, 0) $$, 'TK422', 'the limit is 0; it must be between 1 and 100,000', 'a limit of 0 is refused');

select * from finish();
rollback;
