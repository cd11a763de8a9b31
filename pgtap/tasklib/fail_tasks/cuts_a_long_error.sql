begin;
select plan(1);

select tasker_test.register_echo();
select tasklib.set_setting('error_bytes', '100');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.fail_echo(:'task', 1, repeat('x', 1000));
select is(length((tasker_test.tasklib_task(:'task')).error), 100, 'an error is cut at the length of the setting');

select * from finish();
rollback;
