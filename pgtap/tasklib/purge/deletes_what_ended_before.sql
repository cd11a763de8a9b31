begin;
select plan(5);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[4]));
select tasker_test.complete_echo(c.id) from tasker_test.claim_echo(1) as c;
select tasker_test.fail_echo(c.id, 1, 'x', true) from tasker_test.claim_echo(1) as c;
select tasker_test.pass('1 hour');
select tasker_test.complete_echo(c.id) from tasker_test.claim_echo(1) as c;

select is(tasklib.purge('2026-03-01 12:30+00', 'failed'), 1, 'of one state');
select is(tasklib.purge('2026-03-01 12:30+00', p_name => 'other'), 0, 'of another name');
select is(tasklib.purge('2026-03-01 12:30+00'), 1, 'of all');
select is((select count(*) from tasklib.tasks), 2::bigint, 'later and open ones stay');
select is((select count(*) from tasklib.task_actions as a where a.action = 'purge'), 2::bigint, 'it is on record');

select * from finish();
rollback;
