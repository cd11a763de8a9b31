begin;
select plan(8);

select tasker_test.subscribe();
select throws_ok($$ select tasker.read_events('nothing', gen_random_uuid()) $$, 'TK404', 'subscription "nothing" does not exist', 'an unknown one');
select throws_ok($$ select tasker.read_events(null, gen_random_uuid()) $$, 'TK404', 'subscription null does not exist', 'null');
select throws_ok($$ select tasker.read_events('all', null) $$, 'TK422', 'a reader of the feed needs a UUID', 'no reader');
select throws_ok($$ select tasker.read_events('all', gen_random_uuid(), 0) $$, 'TK422', 'a limit of 0 is out of range', 'no limit');
select throws_ok($$ select tasker.read_events('all', gen_random_uuid(), 10, 0) $$, 'TK422', 'a lease of 0 seconds is out of range', 'no lease');
select lives_ok($$ select tasker_test.read() $$, 'a reader');
select throws_ok($$ select tasker.read_events('all', gen_random_uuid()) $$, 'TK409', 'subscription "all" is read by another process', 'a second one');
select tasker_test.pass('31 seconds');
select lives_ok($$ select tasker.read_events('all', gen_random_uuid()) $$, 'the second, when the lease has ended');

select * from finish();
rollback;
