begin;
select plan(12);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly(p_overlap => 'skip');
select is(
  (select s.backfill_next_at from tasker.backfill_schedule('test', 'hourly', '2026-03-01 03:00+00', '2026-03-01 05:00+00') as s),
  '2026-03-01 03:00+00'::timestamptz, 'the backfill begins with the first tick'
);
select throws_ok(
  $$ select tasker.backfill_schedule('test', 'hourly', '2026-03-01 03:00+00', '2026-03-01 05:00+00') $$, 'TK409', 'schedule "test/hourly" is being backfilled', 'a schedule can have only one backfill at a time'
);
select is(tasker_test.tick(), 1, 'one backfilled tick creates a task');
select is(tasker_test.tick('1 second'), 1, 'the next backfilled tick waits for the end of that task');
select is((select count(*) from tasker.tasks), 1::bigint, 'no second task exists before the first has ended');
select tasker_test.end_tasks();
select tasker_test.tick('1 second');
select is((select count(*) from tasker.tasks), 2::bigint, 'the next backfilled tick creates its task after that end');
select tasker_test.end_tasks();
select tasker_test.tick('1 second');
select results_eq(
  'select k.tick, k.cause, k.outcome from tasker_test.ticks as k',
  $$ values ('01 03:00', 'backfill', 'made'), ('01 04:00', 'backfill', 'made'), ('01 05:00', 'backfill', 'made') $$, 'the backfill includes both ends'
);
select results_eq(
  'select s.backfill_next_at, s.backfill_until, s.due_at from tasker.schedules as s',
  $$ values (null::timestamptz, null::timestamptz, '2026-03-01 13:00+00'::timestamptz) $$, 'the backfill is finished'
);

select tasker.backfill_schedule('test', 'hourly', '2026-03-01 02:00+00', '2026-03-01 06:00+00', 'allow');
select tasker_test.tick();
select results_eq(
  'select k.tick, k.reason from tasker_test.ticks as k offset 3',
  $$ values ('01 02:00', null), ('01 03:00', 'had been made before'), ('01 04:00', 'had been made before'), ('01 05:00', 'had been made before'), ('01 06:00', null) $$,
  'a schedule that allows overlap backfills without waiting, and skips ticks that have a task'
);

select tasker.backfill_schedule('test', 'hourly', '2025-03-01 02:00+00', '2026-03-01 06:00+00');
select is(
  (select s.backfill_next_at is null from tasker.backfill_schedule('test', 'hourly', null, null) as s), true, 'null bounds end the backfill'
);
select throws_ok(
  $$ select tasker.backfill_schedule('test', 'hourly', '2026-03-01 03:10+00', '2026-03-01 03:50+00') $$, 'TK422', 'schedule "test/hourly" has no tick to backfill', 'a period without a tick is refused'
);
select throws_ok(
  $$ select tasker.backfill_schedule('test', 'hourly', '2026-03-01 03:10+00', '2026-03-02 03:50+00') $$, 'TK422', 'schedule "test/hourly" cannot be backfilled like this', 'a period in the future is refused'
);

select * from finish();
rollback;
