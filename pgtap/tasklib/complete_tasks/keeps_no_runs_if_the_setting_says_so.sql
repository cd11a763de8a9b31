begin;
select plan(3);

select tasker_test.register_echo();
select tasklib.set_setting('audit_runs', 'false');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select is(tasker_test.complete_echo(:'task'), 'completed', 'the task is completed');
select is_empty('select from tasklib.task_runs', 'no run is recorded');

select tasklib.set_setting('audit_runs', 'true');
select tasker_test.echo() as second \gset
select tasker_test.claim_echo();
select tasker_test.complete_echo(:'second');
select results_eq(
  'select r.task_id from tasklib.task_runs as r', format('values (%L::uuid)', :'second'), 'the next run is recorded when the setting is on'
);

select * from finish();
rollback;
