-- The night on which clocks in Berlin go back.
begin;
select plan(2);

set local timezone = 'Europe/Berlin';
select tasker_test.freeze('2050-10-29 12:00:00+02');
select tasker.ensure_partitions();
select tasker_test.create_waiting('sleep', '[{"name": "sleep", "await": {"for": "3d"}}]');
select is(
  (select extract(epoch from m.due_at - timestamptz '2050-10-29 12:00:00+02') from tasker.timers as m), 259200::numeric,
  'three days are 259,200 seconds'
);
set local timezone = 'UTC';
select tasker_test.pass(interval '259200 seconds');
select is(tasker.fire_due_timers(), 1, 'a wait of three days ends when they are over');

select * from finish();
rollback;
