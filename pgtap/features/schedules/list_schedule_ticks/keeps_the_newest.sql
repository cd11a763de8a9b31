begin;
select plan(5);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker.set_setting('schedule_ticks', '3');
select tasker_test.hourly();
select tasker_test.tick('1 hour') from generate_series(1, 5);
select results_eq(
  $$ select k.tick_no, k.tick_at, k.outcome from tasker.list_schedule_ticks('test', 'hourly') as k $$,
  $$ values (5::bigint, '2026-03-01 17:00+00'::timestamptz, 'made'), (4, '2026-03-01 16:00+00', 'made'), (3, '2026-03-01 15:00+00', 'made') $$,
  'the newest ticks are kept, as many as the setting says'
);
select results_eq($$ select k.tick_no from tasker.list_schedule_ticks('test', 'hourly', 1, 5) as k $$, '{4}'::bigint[], 'p_before pages through the ticks');
select results_eq(
  $$ select t.headers ->> 'tick' from tasker.list_schedule_ticks('test', 'hourly', 1) as k join tasker.tasks as t on t.task_uuid = k.task_uuid $$,
  array['2026-03-01T17:00:00Z'], 'a tick has its task'
);
select throws_ok($$ select tasker.list_schedule_ticks('test', 'nothing') $$, 'TK404', 'schedule "test/nothing" does not exist', 'an unknown schedule is refused');
select throws_ok($$ select tasker.list_schedule_ticks('test', 'hourly', 0) $$, 'TK422', 'a limit of 0 is out of range', 'a limit of zero is refused');

select * from finish();
rollback;
