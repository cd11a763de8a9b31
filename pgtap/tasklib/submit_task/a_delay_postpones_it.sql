begin;
select plan(3);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();

select tasker_test.echo(p_delay => 90.5) as task \gset
select is((tasker_test.tasklib_task(:'task')).scheduled_at, '2026-03-01 12:01:30.5+00'::timestamptz, 'the task is due after the delay');
select is_empty('select * from tasker_test.claim_echo()', 'the task cannot be claimed before');
select tasker_test.pass('91 seconds');
select is((select c.id from tasker_test.claim_echo() as c), :'task'::uuid, 'the task is claimed after the delay');

select * from finish();
rollback;
