begin;
select plan(9);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasklib.schedule_task(s, 'echo', '0 * * * *', p_missed => 'all') from unnest('{bad,good}'::text[]) as s;
-- The time zone disappears, as an update of the server may cause.
update tasklib.schedules set timezone = 'Mars/Olympus' where schedule = 'bad';

select tasker_test.pass('1 hour');
select is(tasklib.fire_schedules(), 1, 'the other schedules fire');
select results_eq($$ select t.tags ->> 'schedule' from tasklib.tasks as t $$, '{good}'::text[], 'the failed schedule submits no task');
select results_eq(
  $$ select s.failures, s.last_error, s.last_error_at, s.next_at from tasklib.list_schedules() as s where s.schedule = 'bad' $$,
  $$ values (1, '22023: time zone "Mars/Olympus" not recognized', tasklib.clock(), tasklib.clock()) $$, 'the schedule has the error and keeps its tick'
);
select is(tasklib.fire_schedules(), 0, 'the failed schedule is not tried again at once');
select is((select s.failures from tasklib.schedules as s where s.schedule = 'bad'), 1, 'no second failure is counted');
select tasker_test.pass('10 seconds');
select tasklib.fire_schedules();
select is((select s.failures from tasklib.schedules as s where s.schedule = 'bad'), 2, 'the schedule is tried again after ten seconds');

select tasklib.schedule_task('bad', 'echo', '0 * * * *', p_missed => 'all');
select is((select s.failures from tasklib.schedules as s where s.schedule = 'bad'), 0, 'a change of the schedule clears its failures');
update tasklib.schedules set next_at = '2026-03-01 13:00+00' where schedule = 'bad';
select is(tasklib.fire_schedules(), 1, 'the tick fires');
select results_eq(
  $$ select k.outcome, k.reason from tasklib.list_schedule_ticks('bad') as k $$,
  $$ values ('made', null), ('failed', '22023: time zone "Mars/Olympus" not recognized'), ('failed', '22023: time zone "Mars/Olympus" not recognized') $$,
  'list_schedule_ticks returns all outcomes, newest first'
);

select * from finish();
rollback;
