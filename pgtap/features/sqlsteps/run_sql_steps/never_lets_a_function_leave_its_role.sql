begin;
select plan(4);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker_test.create_sql('escape', '[{"name": "a", "sql": "test_shop.escape"}]') as task \gset
select tasker.run_sql_steps(10);
select is(
  (select s.last_error from tasker.workflow_steps as s where s.task_uuid = :'task'),
  '42501: cannot set parameter "role" within security-definer function', 'a function cannot reset its role'
);

set local role test_shop_steps;
select throws_ok(
  $$ alter function tasker_sql.test(text, jsonb) security invoker $$, '42501', 'permission denied for schema tasker_sql',
  'the bound role cannot change the function that it owns'
);
select throws_ok(
  $$ select tasker_sql.test('select 1', '{}') $$, '42501', 'permission denied for schema tasker_sql', 'nor call it'
);
reset role;
alter function tasker_sql.test(text, jsonb) security invoker;
select is(
  (select r.completed + r.failed + r.put_off from tasker.run_sql_steps(10) as r), 0,
  'steps do not run while the function that calls them is another than that which was created'
);

select * from finish();
rollback;
