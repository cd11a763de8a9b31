begin;
select plan(4);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.complete_echo(:'task');
select is(tasklib.cancel_task(:'task'), false, 'cancel_task returns false for a task that has ended');
select is((tasker_test.tasklib_task(:'task')).state::text, 'completed', 'the task stays completed');
select throws_ok(format('select tasklib.cancel_task(%L)', '00000000-0000-0000-0000-000000000000'), 'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'an unknown task is refused');
select throws_ok('select tasklib.cancel_task(null)', 'TK404', 'task  does not exist', 'a null task is refused');

select * from finish();
rollback;
