begin;
select plan(4);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');

select results_eq(
  $$ select r.name collate "default", r.created_at, r.max_retries, r.limited, r.paused_at from tasklib.register_task('echo') as r $$,
  $$ values ('echo', '2026-03-01 12:00+00'::timestamptz, null::integer, false, null::timestamptz) $$, 'a new name has no options, so the settings apply'
);
select tasker_test.pass('1 hour');
select is((select r.created_at from tasklib.register_task('echo') as r), '2026-03-01 12:00+00'::timestamptz, 'a second call returns the existing row');
select is((select count(*) from tasklib.get_registered_tasks()), 1::bigint, 'one name is registered');
select is_empty('select from tasklib.task_actions', 'no action is recorded');

select * from finish();
rollback;
