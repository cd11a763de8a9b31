begin;
select plan(5);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker.register_namespace('carried', p_transport => 'broker');

select throws_ok(
  $$ select tasker.bind_sql_role('carried', 'test_shop_steps') $$, 'TK409',
  'a broker cannot carry the steps of namespace "carried" while a role is bound for its SQL steps', 'a namespace whose steps a broker carries'
);
select throws_ok(
  $$ select tasker.register_namespace('test', p_transport => 'broker') $$, 'TK409',
  'a broker cannot carry the steps of namespace "test" while a role is bound for its SQL steps', 'a broker for a namespace with a role'
);
select is(
  (select n.transport from tasker.register_namespace('test', 'another description') as n), 'table', 'other values of the namespace can be changed'
);
select tasker.unbind_sql_role('test');
select is(
  (select n.transport from tasker.register_namespace('test', p_transport => 'broker') as n), 'broker', 'without the role a broker can carry them'
);
select is(
  (select count(*)::integer from tasker.sql_roles as r where r.namespace = 'carried'), 0, 'nothing is bound by what was refused'
);

select * from finish();
rollback;
