begin;
select plan(5);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[4]));
select tasker_test.complete_echo(c.id) from tasker_test.claim_echo(1) as c;
select tasker_test.fail_echo(c.id, 1, 'x', true) from tasker_test.claim_echo(1) as c;
select tasker_test.pass('1 hour');
select tasker_test.complete_echo(c.id) from tasker_test.claim_echo(1) as c;

select is(tasklib.purge('2026-03-01 12:30+00', 'failed'), 1, 'a state limits what is deleted');
select is(tasklib.purge('2026-03-01 12:30+00', p_name => 'other'), 0, 'a name limits what is deleted');
select is(tasklib.purge('2026-03-01 12:30+00'), 1, 'without them every task that ended before the time is deleted');
select is((select count(*) from tasklib.tasks), 2::bigint, 'later and open tasks stay');
select results_eq(
  $$ select a.name collate "default", a.detail ->> 'state', a.detail ->> 'count' from tasklib.task_actions as a where a.action = 'purge' order by a.action_no $$,
  $$ values (null, 'failed', '1'), (null, null, '1') $$,
  'each purge that deleted a task is recorded, and no other'
);

select * from finish();
rollback;
