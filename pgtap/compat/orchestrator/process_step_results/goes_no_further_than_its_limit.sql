begin;
select plan(5);

select tasker_test.freeze();
select tasker.ensure_task_queue('orchestration_step_results');
select tasker_test.register('one', 'a');
select count(*) from tasker.create_tasks('test', 'one', array(select jsonb_build_object('n', n) from generate_series(1, 25) as n));
create temporary table claimed as select c.task_uuid from tasker.claim_steps('{test}', tasker_test.worker(), 25) as c;
select count(tasker_test.record('a', '{}', c.task_uuid)) from claimed as c;
select is(tasker.process_step_results(10), 10, 'a call processes ten results');
select is((select count(*) from tasker.peek_queue('orchestration_step_results', 100)), 15::bigint, 'ten messages are deleted');
select is(tasker.process_step_results(), 15, 'the next call processes the rest');
select is((select count(*) from tasker.tasks as t where t.state = 'complete'), 25::bigint, 'every task completes');
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
