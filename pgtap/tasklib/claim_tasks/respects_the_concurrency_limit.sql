begin;
select plan(3);

select tasker_test.register_echo('{"concurrency_limit": 2}');
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[5]));

select is((select count(*) from tasker_test.claim_echo(5)), 2::bigint, 'two at once');
select is_empty('select * from tasker_test.claim_echo(5)', 'no more');
select tasker_test.complete_echo((select t.id from tasklib.tasks as t where t.state = 'running' limit 1));
select is((select count(*) from tasker_test.claim_echo(5)), 1::bigint, 'one for one that is done');

select * from finish();
rollback;
