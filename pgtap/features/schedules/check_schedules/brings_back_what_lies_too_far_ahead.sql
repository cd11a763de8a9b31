begin;
select plan(7);

select tasker_test.freeze_with_partitions('2027-03-01 12:00+00');
select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly();
select tasker_test.hourly('yearly', '0 0 1 1 *');
select tasker_test.tick('1 hour');

-- The clock is put forward a year, and back after a minute. A claim fires what is due meanwhile.
select tasker_test.tick('1 year');
select is((select s.next_tick_at from tasker.schedules as s where s.schedule = 'hourly'), '2027-03-01 14:00+00'::timestamptz, 'the next tick lies a year ahead because the clock was ahead');
select tasker_test.pass('-1 year');
select is(tasker_test.tick('1 hour'), 0, 'no schedule ticks');
select is((select m.last_done from tasker.run_maintenance('schedules') as m), 2::bigint, 'maintenance finds both schedules');
select results_eq(
  'select s.schedule, s.next_tick_at, m.due_at from tasker.schedules as s join tasker.timers as m on m.task_uuid = s.schedule_uuid order by 1',
  $$ values ('hourly', '2026-03-01 15:00+00'::timestamptz, '2026-03-01 15:00+00'::timestamptz), ('yearly', '2027-01-01 00:00+00', '2027-01-01 00:00+00') $$,
  'maintenance moves their next ticks back'
);
select tasker_test.tick('1 hour');
select is((select count(*) from tasker_test.ticks as k where k.schedule = 'hourly' and k.tick = '01 15:00' and k.outcome = 'made'), 1::bigint, 'the schedules tick again');
select is((select m.last_done from tasker.run_maintenance('schedules') as m), 0::bigint, 'maintenance finds nothing once the clock is right');

-- A year later the tick that was made too soon is met again.
select tasker_test.tick('8760 hours');
select is(
  (select count(*) from tasker.tasks as t where t.headers ->> 'schedule' = 'yearly'), 1::bigint, 'a tick that was made too early does not create a second task'
);

select * from finish();
rollback;
