begin;
select plan(3);

select tasker_test.register_echo('{"concurrency_limit": 2}');
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[5]));

select is((select count(*) from tasker_test.claim_echo(5)), 2::bigint, 'two tasks are claimed at once');
select is_empty('select * from tasker_test.claim_echo(5)', 'no third task is claimed while they run');
select tasker_test.complete_echo((select t.id from tasklib.tasks as t where t.state = 'running' limit 1));
select is((select count(*) from tasker_test.claim_echo(5)), 1::bigint, 'one more task is claimed when one has completed');

select * from finish();
rollback;
