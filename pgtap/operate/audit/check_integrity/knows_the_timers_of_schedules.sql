begin;
select plan(2);

select tasker_test.freeze_with_partitions('2026-03-01 12:00:30+00');
select tasker_test.hourly();
select is_empty('select * from tasker.check_integrity()', 'the timer of a schedule is not a problem');

set local session_replication_role = replica;
delete from tasker.schedules;
set local session_replication_role = origin;
select results_eq(
  'select p.object, p.problem from tasker.check_integrity() as p',
  $$ values ('timers', 'has the timer fire_schedule of no open task or step') $$,
  'a timer without its schedule is reported'
);

select * from finish();
rollback;
