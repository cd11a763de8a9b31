begin;
select plan(9);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker_test.create_sql('lost', '[{"name": "a", "sql": "test_shop.note"}]') as task \gset
savepoint before;
select is((select r.completed from tasker.run_sql_steps(10) as r), 1, 'a step runs');
rollback to savepoint before;
select is_empty('select * from test_shop.notes', 'its call is rolled back, as by the end of its session');

select results_eq(
  'select r.completed, r.put_off from tasker.run_sql_steps(10) as r', 'values (0, 1)', 'the next call only writes its attempt'
);
select is(
  (select s.state || ', ' || s.attempts from tasker.workflow_steps as s where s.task_uuid = :'task'), 'in_progress, 1', 'which is a claim of its own'
);
select ok((select e.summary like '%It calls test_shop.note as role "test_shop_steps". It waits for a call of its own.' from tasker.explain_step(tasker_test.step(:'task', 'a')) as e), 'explain_step says so');
savepoint alone;
select is((select r.completed from tasker.run_sql_steps(10) as r), 1, 'it is alone in the call after that');
rollback to savepoint alone;
select is((select r.failed from tasker.run_sql_steps(10) as r), 1, 'if that leaves no record either, the attempt has failed');
select is(
  (select s.state || ', ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = :'task'),
  'waiting_for_retry, 08006: the call of its function left no record: its session, its transaction or the server ended', 'and says why'
);
select is_empty('select * from test_shop.notes', 'nothing was written');

select * from finish();
rollback;
