begin;
select plan(6);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();

select is(tasker_test.complete_echo(:'task', 2), 'stale', 'another claim number');
select is(tasker_test.complete_echo(:'task', 1, null, 'v'), 'stale', 'another worker');
select is(tasker_test.complete_echo(gen_random_uuid()), 'stale', 'a task that is not there');
select is(tasker_test.complete_echo(:'task', 1, '1'), 'completed', 'the right one');
select is(tasker_test.complete_echo(:'task', 1, '2'), 'stale', 'the second time');
select is((tasker_test.tasklib_task(:'task')).result, '{"value": 1}', 'which changes nothing');

select * from finish();
rollback;
