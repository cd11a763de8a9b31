begin;
select plan(5);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();

select is(tasker_test.fail_echo(:'task', 2), 'stale', 'another claim number');
select is(tasker_test.fail_echo(gen_random_uuid()), 'stale', 'a task that is not there');
select is(tasker_test.fail_echo(:'task', 1), 'retrying', 'the right one');
select is(tasker_test.fail_echo(:'task', 1), 'stale', 'the second time');
select throws_ok($$ select tasklib.fail_tasks('w', '{}', '{}', array['x']) $$, 'TK422', 'this is not a valid report about claimed tasks', 'errors of none');

select * from finish();
rollback;
