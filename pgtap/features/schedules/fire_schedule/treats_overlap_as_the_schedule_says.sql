begin;
select plan(8);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly(o, p_overlap => o) from unnest('{allow,skip,queue_one}'::text[]) as o;
select tasker_test.tick('1 hour');
select tasker_test.tick('1 hour');
select tasker_test.tick('1 hour');

prepare history as
  select k.schedule, k.tick, k.outcome, regexp_replace(k.reason, '[0-9a-f-]{36}', '…') from tasker_test.ticks as k;
select results_eq(
  'history',
  $$ values
    ('allow', '01 13:00', 'made', null), ('allow', '01 14:00', 'made', null), ('allow', '01 15:00', 'made', null),
    ('queue_one', '01 13:00', 'made', null), ('queue_one', '01 14:00', 'queued', 'task … is running'),
    ('queue_one', '01 15:00', 'skipped', 'task … is running and another tick is queued'),
    ('skip', '01 13:00', 'made', null), ('skip', '01 14:00', 'skipped', 'task … is running'), ('skip', '01 15:00', 'skipped', 'task … is running') $$,
  'overlapping ticks are made, skipped or queued while the first task runs'
);
select is((select s.due_at - tasker.clock() from tasker.schedules as s where s.schedule = 'queue_one'), interval '1 second', 'a queued tick is checked each second');
select tasker_test.tick('1 second');
select is((select count(*) from tasker_test.ticks as k where k.schedule = 'queue_one'), 3::bigint, 'a queued tick waits until the task has ended');

select tasker_test.end_tasks();
select tasker_test.tick('1 second');
select results_eq(
  $$ select k.tick, k.outcome from tasker_test.ticks as k where k.schedule = 'queue_one' offset 3 $$,
  $$ values ('01 14:00', 'made') $$, 'the queued tick creates its task after that end'
);
select is((select s.queued_tick_at is null from tasker.schedules as s where s.schedule = 'queue_one'), true, 'the schedule has no queued tick afterwards');
select tasker_test.tick('1 hour');
select results_eq(
  $$ select k.schedule, k.outcome from tasker_test.ticks as k where k.tick = '01 16:00' $$,
  $$ values ('allow', 'made'), ('queue_one', 'queued'), ('skip', 'made') $$, 'the new task counts as running for the next tick'
);

-- The tick and the end of the task at the same instant: one goes, the other waits.
select tasker_test.end_tasks();
select tasker_test.tick('1 hour');
select results_eq(
  $$ select k.tick, k.outcome from tasker_test.ticks as k where k.schedule = 'queue_one' offset 5 $$,
  $$ values ('01 16:00', 'made'), ('01 17:00', 'queued') $$, 'exactly one queued tick creates its task next'
);
select is((select cardinality(s.running_tasks) from tasker.schedules as s where s.schedule = 'queue_one'), 1, 'the schedule has one running task');

select * from finish();
rollback;
