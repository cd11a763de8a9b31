begin;
select plan(8);

select tasker_test.take_turn();
select throws_ok($$ select tasker.register_worker(null, 'a') $$, 'TK422', 'a worker needs a UUID, and a name of 1 to 200 characters', 'no UUID');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), null) $$, 'TK422', 'a worker needs a UUID, and a name of 1 to 200 characters', 'no name');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), '') $$, 'TK422', 'a worker needs a UUID, and a name of 1 to 200 characters', 'an empty one');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), repeat('a', 201)) $$, 'TK422', 'a worker needs a UUID, and a name of 1 to 200 characters', 'one too long');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), 'a', '{nowhere}') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace');
select throws_ok($$ select tasker.register_worker(gen_random_uuid(), 'a', array[null]) $$, 'TK404', 'namespace null does not exist', 'a null one');
select is(tasker.register_worker(tasker_test.worker(9), '''; drop table tasker.workers --'), true, 'hostile text is a name');
select is((select w.name from tasker.workers as w where w.worker_uuid = tasker_test.worker(9)), '''; drop table tasker.workers --', 'as it is');

select * from finish();
rollback;
