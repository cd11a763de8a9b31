begin;
select plan(6);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"completed_ttl_seconds": 60}');
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[4]));
select tasker_test.complete_echo(c.id) from tasker_test.claim_echo(2) as c;
select tasker_test.claim_echo(1);

select is(tasklib.purge_expired(), 0, 'nothing has expired yet');
select tasker_test.pass('1 minute');
select is(tasklib.purge_expired(1), 1, 'a call deletes at most as many tasks as its limit');
select is(tasklib.purge_expired(), 1, 'the next call deletes the rest');
select results_eq('select t.state::text from tasklib.tasks as t order by t.state', array['pending', 'running'], 'open tasks stay');
select is_empty('select from tasklib.task_runs', 'the runs of a deleted task are deleted');
select throws_ok($$ select tasklib.purge_expired(0) $$, 'TK422', 'the limit is 0; it must be between 1 and 100,000', 'a limit of 0 is refused');

select * from finish();
rollback;
