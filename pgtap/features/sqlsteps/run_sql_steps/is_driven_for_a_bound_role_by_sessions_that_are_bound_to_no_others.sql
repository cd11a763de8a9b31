begin;
select plan(6);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker.register_namespace('elsewhere');
create role test_shop_driver;
create role test_free_driver;
grant tasker_orchestrator to test_shop_driver, test_free_driver;
select tasker.bind_role('test_shop_steps', '{test}');
select tasker_test.create_sql('bound', '[{"name": "a", "sql": "test_shop.note"}, {"name": "b", "sql": "test_shop.note", "timeout_seconds": 5}]') as task \gset

set local session authorization test_free_driver;
select is(
  (select r.completed + r.failed + r.put_off from tasker.run_sql_steps(10) as r), 0,
  'a driver that is bound to no namespaces does not run the steps of a role that is'
);
select is(tasker.begin_sql_step(), false, 'nor does it begin one that is alone');
reset session authorization;

select tasker.bind_role('test_shop_driver', '{test, elsewhere}');
set local session authorization test_shop_driver;
select is(
  (select r.completed + r.failed + r.put_off from tasker.run_sql_steps(10) as r), 0, 'nor one that is bound to another namespace, too'
);
reset session authorization;
select is_empty('select from test_shop.notes', 'no function was called');

select tasker.bind_role('test_shop_driver', '{test}');
set local session authorization test_shop_driver;
select results_eq(
  'select r.completed, r.put_off from tasker.run_sql_steps(10) as r', 'values (1, 1)', 'one that is bound to the same namespace does'
);
reset session authorization;
select results_eq(
  'select n.note, n.as_role from test_shop.notes as n', $$ values ('a', 'test_shop_steps') $$, 'as the bound role'
);

select * from finish();
rollback;
