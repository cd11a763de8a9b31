begin;
select plan(16);

select tasker_test.take_turn();
select tasker.register_namespace('test');
select throws_ok('select tasker.set_limit(null, null)', 'TK422', 'null is not a valid limit name', 'a null name is refused');
select throws_ok($$ select tasker.set_limit('test', '') $$, 'TK422', '"" is not a valid limit name', 'an empty name is refused');
select throws_ok($$ select tasker.set_limit('test', repeat('a', 129)) $$, 'TK422', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is not a valid limit name', 'a name that is too long is refused');
select throws_ok($$ select tasker.set_limit('test', '$(x)') $$, 'TK422', '"$(x)" is not a valid limit name', 'a hostile name is refused');
select throws_ok($$ select tasker.set_limit(null, 'a') $$, 'TK404', 'namespace null does not exist', 'a null namespace is refused');
select throws_ok($$ select tasker.set_limit('nowhere', 'a') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');
select throws_ok($$ select tasker.set_limit('test', 'a', -1) $$, 'TK422', 'limit "a" cannot have these bounds', 'a negative concurrency is refused');
select throws_ok($$ select tasker.set_limit('test', 'a', 1000001) $$, 'TK422', 'limit "a" cannot have these bounds', 'a concurrency that is too large is refused');
select throws_ok($$ select tasker.set_limit('test', 'a', 1, 0) $$, 'TK422', 'limit "a" cannot have these bounds', 'a rate of zero is refused');
select throws_ok($$ select tasker.set_limit('test', 'a', 1, 1, 0) $$, 'TK422', 'limit "a" cannot have these bounds', 'a rate in zero seconds is refused');
select throws_ok($$ select tasker.set_limit('test', 'a', p_burst => 2) $$, 'TK422', 'limit "a" cannot have these bounds', 'a burst without a rate is refused');
select throws_ok($$ select tasker.set_limit('test', 'a', p_rate => 1, p_per_seconds => 31536000, p_burst => 1001) $$, 'TK422', 'limit "a" cannot have these bounds', 'a burst that the rate allows in more than 1,000 years is refused');
select throws_ok($$ select tasker.set_limit('test', 'a', p_rate => 1, p_per_seconds => 31536000, p_burst => 1000000) $$, 'TK422', 'limit "a" cannot have these bounds', 'a burst that overflows is refused');
select throws_ok($$ select tasker.set_limit('test', 'a', p_rate => 2147483647, p_per_seconds => 1, p_burst => 2147483647) $$, 'TK422', 'limit "a" cannot have these bounds', 'the largest integers are refused');
select throws_ok($$ select tasker.set_limit('test', 'a', 1, p_actor => repeat('a', 201)) $$, 'TK413', 'the actor is longer than 200 characters', 'an actor that is too long is refused');

insert into tasker.limits (namespace, name, created_by, updated_by)
select 'test', 'l' || i, '', '' from generate_series(1, 1000) as i;
select throws_ok($$ select tasker.set_limit('test', 'a', 1) $$, 'TK413', 'namespace "test" would have more than 1000 limits', 'a namespace has at most a thousand limits');

select * from finish();
rollback;
