begin;
select plan(6);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();

select is(tasker_test.complete_echo(:'task', 2), 'stale', 'a report with another claim number is stale');
select is(tasker_test.complete_echo(:'task', 1, null, 'v'), 'stale', 'a report of another worker is stale');
select is(tasker_test.complete_echo(gen_random_uuid()), 'stale', 'a report about an unknown task is stale');
select is(tasker_test.complete_echo(:'task', 1, '1'), 'completed', 'a report with the current claim number completes the task');
select is(tasker_test.complete_echo(:'task', 1, '2'), 'stale', 'a second report is stale');
select is((tasker_test.tasklib_task(:'task')).result, '{"value": 1}', 'a stale report does not change the result');

select * from finish();
rollback;
