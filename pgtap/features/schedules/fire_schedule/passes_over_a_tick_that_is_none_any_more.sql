begin;
select plan(3);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly();
-- As if the rules of the time zone had changed since the next tick was computed.
update tasker.schedules set next_tick_at = '2026-03-01 12:20+00';
update tasker.timers set due_at = '2026-03-01 12:20+00';

select is(tasker_test.tick('20 minutes'), 1, 'the timer fires');
select is_empty('select from tasker.tasks', 'a tick that the expression no longer matches creates no task');
select results_eq(
  'select s.next_tick_at, m.due_at from tasker.schedules as s cross join tasker.timers as m',
  $$ values ('2026-03-01 13:00+00'::timestamptz, '2026-03-01 13:00+00'::timestamptz) $$, 'the next tick is one that the expression matches'
);

select * from finish();
rollback;
