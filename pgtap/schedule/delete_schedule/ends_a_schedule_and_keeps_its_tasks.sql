begin;
select plan(5);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly();
select tasker_test.tick('1 hour');

select is(tasker.delete_schedule('test', 'hourly'), true, 'deleted');
select is(tasker.delete_schedule('test', 'hourly'), false, 'there was none');
select is_empty('select from tasker.timers', 'its timer is gone');
select is_empty('select from tasker.schedule_ticks', 'and its history');
select is((select count(*) from tasker.tasks), 1::bigint, 'its task is not');

select * from finish();
rollback;
