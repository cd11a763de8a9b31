begin;
select plan(3);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasklib.cancel_task(:'task');
select is(tasklib.retry_task(:'task', 60), true, 'a cancelled task can be retried, too');
select is_empty('select * from tasker_test.claim_echo()', 'the task cannot be claimed before the delay has passed');
select tasker_test.pass('1 minute');
select is((select c.id from tasker_test.claim_echo() as c), :'task'::uuid, 'the task is claimed after the delay');

select * from finish();
rollback;
