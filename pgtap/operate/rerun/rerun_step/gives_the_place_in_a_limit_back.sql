begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_waiting('pay', '[{"name": "price"}, {"name": "pay", "dependencies": ["price"], "limit": "stripe"}]');
select tasker.set_limit('test', 'stripe', 1);
create temporary table made as select tasker_test.the_task() as first, null::uuid as second;
select tasker_test.run('price');
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 5, 60, '{pay}')), 1::bigint, 'a step has the place');

update made as m set second = (select c.task_uuid from tasker.create_task('test', 'pay') as c);
select set_config('tasker_test.task', (select m.second::text from made as m), true);
select tasker_test.run('price');
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 5, 60, '{pay}')), 0::bigint, 'another one waits');
select ok(tasker.rerun_step(tasker_test.step((select m.first from made as m), 'price'), 'wrong'), 'the first is to run again');
select is(
  (select c.task_uuid from tasker.claim_steps('{test}', tasker_test.worker(), 5, 60, '{pay}') as c), (select m.second from made as m),
  'the other one gets the place'
);
select is_empty($$ select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v $$, 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
