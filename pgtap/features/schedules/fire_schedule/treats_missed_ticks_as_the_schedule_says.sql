begin;
select plan(6);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly(c, p_catch_up => c) from unnest('{skip,one,all}'::text[]) as c;
select tasker_test.hourly('some', p_catch_up => 'all');
update tasker.schedules set catch_up_limit = 2 where schedule = 'some';

select is(tasker_test.tick('4 hours 30 minutes'), 9, 'each firing makes or skips one tick');
select results_eq(
  $$ select k.schedule, k.tick, k.outcome, k.reason from tasker_test.ticks as k $$,
  $$ values
    ('all', '01 13:00', 'made', null), ('all', '01 14:00', 'made', null), ('all', '01 15:00', 'made', null), ('all', '01 16:00', 'made', null),
    ('one', '01 13:00', 'made', null),
    ('skip', '01 13:00', 'skipped', 'missed, with all up to 2026-03-01 16:29:00Z: the schedule makes up for none'),
    ('some', '01 13:00', 'made', null), ('some', '01 14:00', 'made', null),
    ('some', '01 15:00', 'skipped', 'missed, with all up to 2026-03-01 16:29:00Z: the schedule makes up for 2 at most') $$,
  'schedules make up for no tick, for one, for each, or for the first two'
);
select results_eq('select distinct s.next_tick_at from tasker.list_schedules() as s', array['2026-03-01 17:00+00'::timestamptz], 'all schedules continue with the next tick');
select tasker_test.tick('30 minutes 59 seconds');
select is((select count(*) from tasker_test.ticks as k where k.tick = '01 17:00' and k.outcome = 'made'), 4::bigint, 'a tick that is a minute late is not missed');
select results_eq('select distinct s.caught_up from tasker.schedules as s', '{0}'::integer[], 'a tick on time ends making up');
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
