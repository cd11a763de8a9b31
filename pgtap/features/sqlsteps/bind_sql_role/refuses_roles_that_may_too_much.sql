begin;
select plan(9);

select tasker_test.take_turn();
select tasker_test.open_shop();
create role test_bare;
create role test_super superuser;
create role test_owner_too;
grant tasker_owner to test_owner_too;
grant test_super to tasker_owner;
create role test_bound_operator;
grant tasker_operator to test_bound_operator;
select tasker.register_namespace('elsewhere');
select tasker.bind_role('test_bound_operator', '{test}');

select throws_ok($$ select tasker.bind_sql_role('test', 'test_bare') $$, 'TK403', 'SQL steps cannot run as role "test_bare": it has not been granted to tasker_owner', 'a role that nobody granted to the engine');
select throws_ok($$ select tasker.bind_sql_role('test', 'test_super') $$, 'TK403', 'SQL steps cannot run as role "test_super": it is a superuser', 'a superuser');
select throws_ok($$ select tasker.bind_sql_role('test', 'tasker_owner') $$, 'TK403', 'SQL steps cannot run as role "tasker_owner": it is tasker_owner or its member', 'the engine''s owner');
select throws_ok($$ select tasker.bind_sql_role('test', 'test_missing') $$, 'TK404', 'role "test_missing" does not exist', 'a role that is missing');
select throws_ok($$ select tasker.bind_sql_role('nowhere', 'test_bare') $$, 'TK404', 'namespace "nowhere" does not exist', 'a namespace that is missing');
set local session authorization test_bound_operator;
select throws_ok($$ select tasker.bind_sql_role('elsewhere', 'test_shop_steps') $$, 'TK403', null::text, 'a bound operator elsewhere');
select throws_ok($$ select tasker.bind_sql_role('test', 'test_shop_steps') $$, 'TK403', 'SQL steps cannot run as role "test_shop_steps": it is none that the caller, who is bound to namespaces, may act as', 'a bound operator for a role that is not its own');
reset session authorization;
select is(tasker.bind_sql_role('test', 'test_shop_steps'), false, 'the same role again changes nothing');
select results_eq(
  $$ select a.call, a.actor, a.reason from tasker.administration_log as a where a.kind = 'sql_roles' $$,
  $$ values ('bind_sql_role', 'an operator', 'for the test') $$, 'the log of administration has the binding, the name and the reason'
);

select * from finish();
rollback;
