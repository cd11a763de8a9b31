begin;
select plan(6);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasklib.set_setting('schedule_ticks', '2');
select tasklib.schedule_task('s', 'echo', '0 * * * *', p_missed => 'skip');
select tasker_test.pass('1 hour');
select tasklib.fire_schedules();
select results_eq(
  $$ select k.tick_no, k.tick_at, k.fired_at, k.outcome, k.task_id, k.reason from tasklib.list_schedule_ticks('s') as k $$,
  $$ select 1::bigint, '2026-03-01 13:00+00'::timestamptz, '2026-03-01 13:00+00'::timestamptz, 'made', t.id, null from tasklib.tasks as t $$, 'the tick has its task'
);
select tasker_test.pass('3 hours 10 minutes');
select tasklib.fire_schedules();
select results_eq(
  $$ select k.tick_at, k.outcome, k.reason from tasklib.list_schedule_ticks('s', 1) as k $$,
  $$ values ('2026-03-01 14:00+00'::timestamptz, 'skipped', 'missed, with all up to 2026-03-01 16:09:00Z') $$, 'missed ticks are one row with a reason'
);
select tasker_test.pass('50 minutes');
select tasklib.fire_schedules();
select results_eq($$ select k.tick_no from tasklib.list_schedule_ticks('s') as k $$, '{3,2}'::bigint[], 'the setting limits how many ticks are kept');
select results_eq($$ select k.tick_no from tasklib.list_schedule_ticks('s', 10, 3) as k $$, '{2}'::bigint[], 'a page begins below the given tick');
select throws_ok($$ select tasklib.list_schedule_ticks('s', 0) $$, 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a limit of 0 is refused');
select is_empty($$ select tasklib.list_schedule_ticks('nothing') $$, 'an unknown schedule has no ticks');

select * from finish();
rollback;
