begin;
select plan(5);

select tasker_test.subscribe();
select tasker_test.read();
select is(tasker.leave_subscription('all', gen_random_uuid()), false, 'not its reader');
select is(tasker.leave_subscription('all', '01980000-0000-7000-8000-00000000000b'), true, 'its reader');
select lives_ok($$ select tasker.read_events('all', gen_random_uuid()) $$, 'another reads at once');
select is(tasker.leave_subscription('all', null), false, 'null');
select throws_ok($$ select tasker.leave_subscription('nothing', gen_random_uuid()) $$, 'TK404', 'subscription "nothing" does not exist', 'an unknown one');

select * from finish();
rollback;
