begin;
select plan(1);

select tasker_test.register_echo();

select tasker_test.call_as('tasklib_submitter', $$ select s.id from tasklib.submit_task('echo') as s $$) as task \gset
select is((tasker_test.tasklib_task(:'task')).submitted_by, 'tasklib_submitter', 'the role that the caller acts as');

select * from finish();
rollback;
