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
  'while the first task runs'
);
select is((select s.due_at - tasker.clock() from tasker.schedules as s where s.schedule = 'queue_one'), interval '1 second', 'a queued tick is looked at each second');
select tasker_test.tick('1 second');
select is((select count(*) from tasker_test.ticks as k where k.schedule = 'queue_one'), 3::bigint, 'and waits as long as the task runs');

select tasker_test.end_tasks();
select tasker_test.tick('1 second');
select results_eq(
  $$ select k.tick, k.outcome from tasker_test.ticks as k where k.schedule = 'queue_one' offset 3 $$,
  $$ values ('01 14:00', 'made') $$, 'after its end the queued one goes'
);
select is((select s.queued_tick_at from tasker.schedules as s where s.schedule = 'queue_one'), null, 'and nothing is queued');
select tasker_test.tick('1 hour');
select results_eq(
  $$ select k.schedule, k.outcome from tasker_test.ticks as k where k.tick = '01 16:00' $$,
  $$ values ('allow', 'made'), ('queue_one', 'queued'), ('skip', 'made') $$, 'what runs then counts again'
);

-- The tick and the end of the task at the same instant: one goes, the other waits.
select tasker_test.end_tasks();
select tasker_test.tick('1 hour');
select results_eq(
  $$ select k.tick, k.outcome from tasker_test.ticks as k where k.schedule = 'queue_one' offset 5 $$,
  $$ values ('01 16:00', 'made'), ('01 17:00', 'queued') $$, 'exactly one runs next'
);
select is((select cardinality(s.running_tasks) from tasker.schedules as s where s.schedule = 'queue_one'), 1, 'and only one');

select * from finish();
rollback;
