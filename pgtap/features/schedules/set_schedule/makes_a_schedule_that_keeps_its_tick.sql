begin;
select plan(11);

select tasker_test.freeze_with_partitions('2026-03-01 12:00:30+00');
select tasker_test.hourly();
select results_eq(
  'select s.namespace, s.schedule, s.task_name, s.cron, s.timezone, s.catch_up, s.overlap, s.next_tick_at, s.due_at, s.created_by from tasker.schedules as s',
  $$ values ('test', 'hourly', 'report', '0 * * * *', 'UTC', 'one', 'allow', '2026-03-01 13:00+00'::timestamptz, '2026-03-01 13:00+00'::timestamptz, current_user::text collate "default") $$,
  'a schedule has the default policies'
);

-- Each deployment says the same again, also at the moment at which a tick is due.
select tasker_test.pass('1 hour');
select is((select s.updated_at from tasker_test.hourly() as s), '2026-03-01 12:00:30+00'::timestamptz, 'the same definition changes nothing');
select is((select s.next_tick_at from tasker.schedules as s), '2026-03-01 13:00+00'::timestamptz, 'a tick that is due stays due');
select is(
  (select s.next_tick_at from tasker.set_schedule('test', 'hourly', 'report', '0 * * * *', p_context => '{"n": 2}', p_actor => 'ann') as s),
  '2026-03-01 13:00+00'::timestamptz, 'the next tick stays if only the context changes'
);
select is((select s.updated_by from tasker.schedules as s), 'ann', 'a change records its actor');
select is(
  (select s.next_tick_at from tasker.set_schedule('test', 'hourly', 'report', '30 * * * *') as s), '2026-03-01 13:30+00'::timestamptz,
  'another expression computes the next tick from now'
);

-- Intervals count from the start, or from when the schedule is made.
select is(
  (select s.next_tick_at from tasker.set_schedule('test', 'often', 'report', p_every_seconds => 90) as s), '2026-03-01 13:02:00+00'::timestamptz,
  'an interval is counted from now'
);
select is(
  (select s.next_tick_at from tasker.set_schedule('test', 'often', 'report', p_every_seconds => 90, p_starts_at => '2026-03-02 00:00:10+00') as s),
  '2026-03-02 00:00:10+00'::timestamptz, 'an interval with a start begins with the start'
);
select is(
  (select s.next_tick_at from tasker.set_schedule('test', 'often', 'report', p_every_seconds => 3600, p_starts_at => '2026-02-01 00:10+00') as s),
  '2026-03-01 13:10+00'::timestamptz, 'ticks of a start that has passed are not made up for'
);
select tasker.set_schedule('test', 'ends', 'report', '0 0 * * *', p_ends_at => '2026-03-03 00:00+00');
select results_eq(
  $$ select r.tick_at from tasker.next_runs('test', 'ends') as r $$,
  $$ values ('2026-03-02 00:00+00'::timestamptz), ('2026-03-03 00:00+00') $$, 'a schedule ticks at its end, too'
);
select tasker_test.tick('3 days');
select results_eq(
  $$ select s.next_tick_at is null, s.due_at is null, (select count(*) from tasker.timers as m where m.task_uuid = s.schedule_uuid)
       from tasker.schedules as s where s.schedule = 'ends' $$,
  $$ values (true, true, 0::bigint) $$, 'a schedule is not due after its end'
);

select * from finish();
rollback;
