begin;
select plan(8);

select tasker_test.subscribe();
select throws_ok($$ select tasker.read_events('nothing', gen_random_uuid()) $$, 'TK404', 'subscription "nothing" does not exist', 'an unknown subscription is refused');
select throws_ok($$ select tasker.read_events(null, gen_random_uuid()) $$, 'TK404', 'subscription null does not exist', 'a null subscription is refused');
select throws_ok($$ select tasker.read_events('all', null) $$, 'TK422', 'a reader of the feed needs a UUID', 'a null reader is refused');
select throws_ok($$ select tasker.read_events('all', gen_random_uuid(), 0) $$, 'TK422', 'a limit of 0 is out of range', 'a limit of 0 is refused');
select throws_ok($$ select tasker.read_events('all', gen_random_uuid(), 10, 0) $$, 'TK422', 'a lease of 0 seconds is out of range', 'a lease of 0 seconds is refused');
select lives_ok($$ select tasker_test.read() $$, 'the first reader may read');
select throws_ok($$ select tasker.read_events('all', gen_random_uuid()) $$, 'TK409', 'subscription "all" is read by another process', 'a second reader is refused');
select tasker_test.pass('31 seconds');
select lives_ok($$ select tasker.read_events('all', gen_random_uuid()) $$, 'the second reader may read after the lease has ended');

select * from finish();
rollback;
