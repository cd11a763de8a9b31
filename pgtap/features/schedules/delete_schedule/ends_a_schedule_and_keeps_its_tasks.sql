begin;
select plan(5);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly();
select tasker_test.tick('1 hour');

select is(tasker.delete_schedule('test', 'hourly'), true, 'delete_schedule returns true for an existing schedule');
select is(tasker.delete_schedule('test', 'hourly'), false, 'delete_schedule returns false for a deleted schedule');
select is_empty('select from tasker.timers', 'the timer of the schedule is deleted');
select is_empty('select from tasker.schedule_ticks', 'the history of the schedule is deleted');
select is((select count(*) from tasker.tasks), 1::bigint, 'the task of the schedule is kept');

select * from finish();
rollback;
