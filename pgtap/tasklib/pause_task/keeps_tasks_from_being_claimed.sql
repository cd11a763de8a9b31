begin;
select plan(6);

select tasker_test.register_echo();
select tasker_test.register_echo(p_name => 'other');
select tasker_test.echo(1), tasker_test.echo(2, 0, 0, 'other');

select is(tasklib.pause_task('echo'), true, 'this call did');
select is(tasklib.pause_task('echo'), false, 'the next one found it done');
select results_eq($$ select c.name from tasklib.claim_tasks(array['echo', 'other'], 'w', 5) as c $$, array['other'], 'other names go on');
select is((select s.paused from tasklib.stats('echo') as s), true, 'it shows');
select throws_ok($$ select tasklib.pause_task('nobody') $$, 'TK404', 'no task is registered as "nobody"', 'an unknown name');
select throws_ok($$ select tasklib.pause_task(null) $$, 'TK422', 'the name of a task is null', 'null');

select * from finish();
rollback;
