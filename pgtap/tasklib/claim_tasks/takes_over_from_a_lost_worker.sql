begin;
select plan(4);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasker_test.echo() as task \gset

select tasker_test.claim_echo(1, 'dead');
select tasker_test.pass('10 minutes');
select results_eq(
  $$ select c.id, c.claim_no, c.retry_count from tasker_test.claim_echo(1, 'alive') as c $$,
  format('values (%L::uuid, 2, 1)', :'task'), 'another worker gets the task when the lock has ended, and a retry is counted'
);
select is(tasker_test.complete_echo(:'task', 1, null, 'dead'), 'stale', 'a result of the lost worker is stale');
select is(tasker_test.complete_echo(:'task', 2, null, 'alive'), 'completed', 'the result of the new worker is recorded');
select results_eq(
  format('select r.claim_no, r.worker_id, r.outcome from tasklib.task_runs as r where r.task_id = %L order by 1', :'task'),
  $$ values (1, 'dead', 'lost'), (2, 'alive', 'completed') $$, 'both runs are recorded'
);

select * from finish();
rollback;
