begin;
select plan(4);

select tasker_test.register_echo();
select tasklib.schedule_task('s', 'echo', '* * * * *');
select is(tasklib.unschedule_task('s'), true, 'this call did');
select is(tasklib.unschedule_task('s'), false, 'the next one found none');
select is(tasklib.unschedule_task(null), false, 'there is none without a name');
select is_empty('select from tasklib.list_schedules()', 'it is gone');

select * from finish();
rollback;
