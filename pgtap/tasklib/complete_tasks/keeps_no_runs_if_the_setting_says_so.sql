begin;
select plan(2);

select tasker_test.register_echo();
select tasklib.set_setting('audit_runs', 'false');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select is(tasker_test.complete_echo(:'task'), 'completed', 'it is completed');
select is_empty('select from tasklib.task_runs', 'nothing else is written');

select * from finish();
rollback;
