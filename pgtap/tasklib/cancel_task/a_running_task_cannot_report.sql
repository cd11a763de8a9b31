begin;
select plan(5);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();

select is(tasklib.cancel_task(:'task', 'stop'), true, 'a running task is cancelled');
select is(tasker_test.complete_echo(:'task', 1), 'stale', 'a result after the cancellation is stale');
select is(tasker_test.fail_echo(:'task', 1), 'stale', 'a failure after the cancellation is stale');
select results_eq('select r.outcome, r.worker_id, r.error from tasklib.task_runs as r', $$ values ('cancelled', 'w', 'stop') $$, 'the cancelled run is recorded');
select is((tasker_test.tasklib_task(:'task')).state::text, 'cancelled', 'the task stays cancelled');

select * from finish();
rollback;
