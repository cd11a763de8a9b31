begin;
select plan(5);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasker_test.echo() as task \gset

select is(tasklib.cancel_task(:'task', 'not needed'), true, 'the first call returns true');
select is(tasklib.cancel_task(:'task'), false, 'a second call returns false');
select results_eq(
  format($$ select t.state::text, t.ready, t.completed_at, t.error from tasklib.tasks as t where t.id = %L $$, :'task'),
  $$ values ('cancelled', false, '2026-03-01 12:00+00'::timestamptz, 'not needed') $$, 'the row has the new state, the time and the reason'
);
select is_empty('select * from tasker_test.claim_echo()', 'a cancelled task cannot be claimed');
select results_eq(
  $$ select a.action, a.actor, a.task_id, a.detail from tasklib.list_task_actions() as a limit 1 $$,
  format($$ values ('cancel', %L, %L::uuid, '{"from": "pending", "reason": "not needed"}'::jsonb) $$, session_user, :'task'), 'the list of actions has the cancellation, its actor and its reason'
);

select * from finish();
rollback;
