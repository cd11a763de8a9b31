begin;
select plan(2);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"base_retry_delay_seconds": 0}');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.fail_echo(:'task');
select tasker_test.claim_echo();
select tasker_test.complete_echo(:'task', 2);
select results_eq(
  format('select r.claim_no, r.worker_id, r.outcome, r.error from tasklib.list_task_runs(%L) as r', :'task'),
  $$ values (1, 'w', 'retrying', 'it broke'), (2, 'w', 'completed', null) $$, 'each run has its worker, its outcome and its error'
);
select throws_ok('select tasklib.list_task_runs(null)', 'TK404', 'task  does not exist', 'a null task is refused');

select * from finish();
rollback;
