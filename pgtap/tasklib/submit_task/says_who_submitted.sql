begin;
select plan(1);

select tasker_test.register_echo();

select tasker_test.call_as('tasklib_submitter', $$ select s.id from tasklib.submit_task('echo') as s $$) as task \gset
select is((tasker_test.tasklib_task(:'task')).submitted_by, 'tasklib_submitter', 'submitted_by is the current role of the caller');

select * from finish();
rollback;
