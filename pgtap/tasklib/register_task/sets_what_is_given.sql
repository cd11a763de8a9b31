begin;
select plan(2);

select tasker_test.take_turn();
select tasklib.register_task('echo', '{"max_retries": 5, "timeout_seconds": 30, "description": "says it again", "rate_limit": 2, "rate_period_seconds": 0.5}');

select results_eq(
  $$ select r.max_retries, r.timeout_seconds, r.description, r.rate_limit, r.rate_period_seconds, r.limited
       from tasklib.register_task('echo', '{"timeout_seconds": null, "max_retries": 6}') as r $$,
  $$ values (6, null::integer, 'says it again', 2, 0.5::double precision, true) $$,
  'a call changes the options it names, and null restores the setting'
);
select results_eq(
  $$ select a.action, a.name collate "default", a.actor, a.detail from tasklib.list_task_actions() as a limit 1 $$,
  format($$ values ('register', 'echo', %L, '{"max_retries": 6}'::jsonb) $$, session_user), 'the list of actions has the actor and the changes'
);

select * from finish();
rollback;
