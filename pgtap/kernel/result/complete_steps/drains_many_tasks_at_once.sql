begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register_diamond();
select count(*) from tasker.create_tasks('test', 'diamond', array(select jsonb_build_object('n', n) from generate_series(1, 100) as n));
select is(tasker_test.drain(), 400::bigint, 'every step runs once');
select is((select count(*) from tasker.tasks as t where t.state = 'complete'), 100::bigint, 'every task completes');
select is((select count(*) from tasker.workflow_step_result_audit), 400::bigint, 'each result has one audit row');
select is_empty('select v from (select t.task_uuid from tasker.tasks as t limit 10) as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
