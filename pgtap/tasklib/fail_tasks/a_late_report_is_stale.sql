begin;
select plan(5);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();

select is(tasker_test.fail_echo(:'task', 2), 'stale', 'a failure with another claim number is stale');
select is(tasker_test.fail_echo(gen_random_uuid()), 'stale', 'a failure of an unknown task is stale');
select is(tasker_test.fail_echo(:'task', 1), 'retrying', 'a failure with the current claim number is recorded');
select is(tasker_test.fail_echo(:'task', 1), 'stale', 'a second failure is stale');
select throws_ok($$ select tasklib.fail_tasks('w', '{}', '{}', array['x']) $$, 'TK422', 'this is not a valid report about claimed tasks', 'an array of errors that is longer than the tasks is refused');

select * from finish();
rollback;
