begin;
select plan(13);

select tasker_test.take_turn();
select tasker.register_namespace('test');
select throws_ok('select tasker.set_limit(null, null)', 'TK422', 'null is not a valid limit name', 'no name');
select throws_ok($$ select tasker.set_limit('test', '') $$, 'TK422', '"" is not a valid limit name', 'an empty one');
select throws_ok($$ select tasker.set_limit('test', repeat('a', 129)) $$, 'TK422', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is not a valid limit name', 'a long one');
select throws_ok($$ select tasker.set_limit('test', '$(x)') $$, 'TK422', '"$(x)" is not a valid limit name', 'a hostile one');
select throws_ok($$ select tasker.set_limit(null, 'a') $$, 'TK404', 'namespace null does not exist', 'no namespace');
select throws_ok($$ select tasker.set_limit('nowhere', 'a') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown one');
select throws_ok($$ select tasker.set_limit('test', 'a', -1) $$, 'TK422', 'limit "a" cannot have these bounds', 'a negative concurrency');
select throws_ok($$ select tasker.set_limit('test', 'a', 1000001) $$, 'TK422', 'limit "a" cannot have these bounds', 'too large');
select throws_ok($$ select tasker.set_limit('test', 'a', 1, 0) $$, 'TK422', 'limit "a" cannot have these bounds', 'a rate of nought');
select throws_ok($$ select tasker.set_limit('test', 'a', 1, 1, 0) $$, 'TK422', 'limit "a" cannot have these bounds', 'in no time');
select throws_ok($$ select tasker.set_limit('test', 'a', p_burst => 2) $$, 'TK422', 'limit "a" cannot have these bounds', 'a burst without a rate');
select throws_ok($$ select tasker.set_limit('test', 'a', 1, p_actor => repeat('a', 201)) $$, 'TK413', 'the actor is longer than 200 characters', 'a long actor');

insert into tasker.limits (namespace, name, created_by, updated_by)
select 'test', 'l' || i, '', '' from generate_series(1, 1000) as i;
select throws_ok($$ select tasker.set_limit('test', 'a', 1) $$, 'TK413', 'namespace "test" would have more than 1000 limits', 'one more than a thousand');

select * from finish();
rollback;
