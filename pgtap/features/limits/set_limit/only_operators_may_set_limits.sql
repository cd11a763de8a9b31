begin;
select plan(4);

select tasker_test.take_turn();
select tasker.register_namespace('test');
select tasker.register_namespace('other');
select throws_ok($$ set local role tasker_orchestrator; select tasker.set_limit('test', 'a', 1) $$, '42501', null, 'an orchestrator may not set a limit');
reset role;
create role bound_operator in role tasker_operator;
select tasker.bind_role('bound_operator', '{test}');
set local role bound_operator;
select lives_ok($$ select tasker.set_limit('test', 'a', 1) $$, 'an operator may set limits in its namespaces');
select throws_ok($$ select tasker.set_limit('other', 'a', 1) $$, 'TK403', 'role "bound_operator" may not work in namespace "other"', 'a bound operator may not set limits in other namespaces');
select throws_ok($$ select tasker.drop_limit('other', 'a') $$, 'TK403', 'role "bound_operator" may not work in namespace "other"', 'a bound operator may not drop limits in other namespaces');
reset role;

select * from finish();
rollback;
