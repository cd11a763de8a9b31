begin;
select plan(6);

select tasker_test.register_echo();
select tasker_test.register_echo(p_name => 'other');
select tasker_test.echo(1), tasker_test.echo(2, 0, 0, 'other');

select is(tasklib.pause_task('echo'), true, 'the first call returns true');
select is(tasklib.pause_task('echo'), false, 'a second call returns false');
select results_eq($$ select c.name from tasklib.claim_tasks(array['echo', 'other'], 'w', 5) as c $$, array['other'], 'a claim takes only tasks of other names');
select is((select s.paused from tasklib.stats('echo') as s), true, 'stats shows that the name is paused');
select throws_ok($$ select tasklib.pause_task('unknown') $$, 'TK404', 'no task is registered as "unknown"', 'a name that is not registered is refused');
select throws_ok($$ select tasklib.pause_task(null) $$, 'TK422', 'the name of a task is null', 'a null name is refused');

select * from finish();
rollback;
