begin;
select plan(4);

select tasker_test.register_echo();
select tasker_test.echo();
select tasklib.pause_task('echo');

select is(tasklib.resume_task('echo'), true, 'this call did');
select is(tasklib.resume_task('echo'), false, 'the next one found it done');
select is((select count(*) from tasker_test.claim_echo()), 1::bigint, 'it is claimed');
select throws_ok($$ select tasklib.resume_task('nobody') $$, 'TK404', 'no task is registered as "nobody"', 'an unknown name');

select * from finish();
rollback;
