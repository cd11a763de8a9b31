begin;
select plan(5);

set local timezone = 'UTC';
select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasklib.schedule_task(m, 'echo', '0 * * * *', p_missed => m) from unnest(array['skip', 'once', 'all']) as m;

select tasker_test.pass('3 hours 30 minutes');
select is(tasklib.fire_schedules(), 4, 'four tasks are submitted after three missed ticks');
select results_eq(
  $$ select t.tags ->> 'schedule', t.tags ->> 'tick' from tasklib.tasks as t order by 1, 2 $$,
  $$ values ('all', '2026-03-01T13:00:00+00:00'), ('all', '2026-03-01T14:00:00+00:00'), ('all', '2026-03-01T15:00:00+00:00'), ('once', '2026-03-01T13:00:00+00:00') $$,
  '"all" submits each missed tick, "once" one task and "skip" none'
);
select results_eq('select distinct s.next_at from tasklib.list_schedules() as s', array['2026-03-01 16:00+00'::timestamptz], 'each schedule continues with the next tick');
select tasker_test.pass('30 minutes 59 seconds');
select is(tasklib.fire_schedules(), 3, 'a tick that is 59 seconds late is not missed');
select tasker_test.pass('1 day');
select is(tasklib.fire_schedules(5), 5, 'no more tasks are submitted than the limit allows');

select * from finish();
rollback;
