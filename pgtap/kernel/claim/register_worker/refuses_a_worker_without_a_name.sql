begin;
select plan(8);

select tasker_test.take_turn();
select throws_ok($$ select tasker.register_worker(null, 'a') $$, 'TK422', 'a worker needs a UUID, and a name of 1 to 200 characters', 'a null UUID is refused');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), null) $$, 'TK422', 'a worker needs a UUID, and a name of 1 to 200 characters', 'a null name is refused');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), '') $$, 'TK422', 'a worker needs a UUID, and a name of 1 to 200 characters', 'an empty name is refused');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), repeat('a', 201)) $$, 'TK422', 'a worker needs a UUID, and a name of 1 to 200 characters', 'a name that is too long is refused');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), 'a', '{nowhere}') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), 'a', array[null]) $$, 'TK404', 'namespace null does not exist', 'a null namespace is refused');
select is(tasker.register_worker(tasker_test.worker(9), '''; drop table tasker.workers --'), true, 'a hostile name is accepted');
select is((select w.name from tasker.workers as w where w.worker_uuid = tasker_test.worker(9)), '''; drop table tasker.workers --', 'the hostile name is stored unchanged');

select * from finish();
rollback;
