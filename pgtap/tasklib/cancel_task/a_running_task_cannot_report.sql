begin;
select plan(5);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();

select is(tasklib.cancel_task(:'task', 'stop'), true, 'it is cancelled');
select is(tasker_test.complete_echo(:'task', 1), 'stale', 'a result comes too late');
select is(tasker_test.fail_echo(:'task', 1), 'stale', 'and so does a failure');
select results_eq('select r.outcome, r.worker_id, r.error from tasklib.task_runs as r', $$ values ('cancelled', 'w', 'stop') $$, 'the run is on record');
select is((tasker_test.tasklib_task(:'task')).state::text, 'cancelled', 'it stays cancelled');

select * from finish();
rollback;
