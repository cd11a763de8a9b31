begin;
select plan(12);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker.register_namespace('other');
select tasker.set_limit('other', 'tenant', 1);
select throws_ok($$ select tasker.set_limit_key(null, 'tenant', 'a', 1) $$, 'TK404', 'the namespace of the limit is null', 'a null namespace is refused');
select throws_ok($$ select tasker.set_limit_key('test', null, 'a', 1) $$, 'TK404', 'the name of the limit is null', 'a null name is refused');
select throws_ok($$ select tasker.set_limit_key('test', 'no', 'a', 1) $$, 'TK404', 'limit "test/no" does not exist', 'an unknown limit is refused');
select throws_ok($$ select tasker.set_limit_key('test', 'tenant', null, 1) $$, 'TK422', 'the key of limit "tenant" is null', 'a null key is refused');
select throws_ok($$ select tasker.set_limit_key('test', 'tenant', 'a', -1) $$, 'TK422', 'limit "tenant" cannot have these bounds', 'a negative concurrency is refused');
select throws_ok($$ select tasker.set_limit_key('test', 'tenant', 'a', p_burst => 2) $$, 'TK422', 'limit "tenant" cannot have these bounds', 'a burst without a rate is refused');
select throws_ok($$ select tasker.set_limit_key('test', 'tenant', 'a', p_rate => 1, p_per_seconds => 31536000, p_burst => 1001) $$, 'TK422', 'limit "tenant" cannot have these bounds', 'a burst that the rate allows in more than 1,000 years is refused');
select throws_ok($$ select tasker.set_limit_key('test', 'tenant', 'a', 1, p_actor => repeat('a', 201)) $$, 'TK413', 'the actor is longer than 200 characters', 'an actor that is too long is refused');
select throws_ok($$ set local role tasker_orchestrator; select tasker.set_limit_key('test', 'tenant', 'a', 1) $$, '42501', null, 'an orchestrator may not bound a key');
reset role;
create role bound_operator in role tasker_operator;
select tasker.bind_role('bound_operator', '{test}');
set local role bound_operator;
select lives_ok($$ select tasker.set_limit_key('test', 'tenant', 'a', 1) $$, 'an operator may bound keys in its namespaces');
select throws_ok($$ select tasker.set_limit_key('other', 'tenant', 'a', 1) $$, 'TK403', 'role "bound_operator" may not work in namespace "other"', 'a bound operator may not bound keys in other namespaces');
select throws_ok($$ select tasker.drop_limit_key('other', 'tenant', 'a') $$, 'TK403', 'role "bound_operator" may not work in namespace "other"', 'nor drop their bounds');
reset role;

select * from finish();
rollback;
