begin;
select plan(4);

select tasker_test.register_echo();
select tasklib.schedule_task('s', 'echo', '* * * * *');
select is(tasklib.unschedule_task('s'), true, 'the first call returns true');
select is(tasklib.unschedule_task('s'), false, 'a second call returns false');
select is(tasklib.unschedule_task(null), false, 'a null name returns false');
select is_empty('select from tasklib.list_schedules()', 'the schedule is deleted');

select * from finish();
rollback;
