begin;
select plan(4);

select tasker_test.register_echo();
select tasker_test.echo();
select tasklib.pause_task('echo');

select is(tasklib.resume_task('echo'), true, 'the first call returns true');
select is(tasklib.resume_task('echo'), false, 'a second call returns false');
select is((select count(*) from tasker_test.claim_echo()), 1::bigint, 'the task can be claimed');
select throws_ok($$ select tasklib.resume_task('missing') $$, 'TK404', 'no task is registered as "missing"', 'a name that is not registered is refused');

select * from finish();
rollback;
