begin;
select plan(5);

select tasker_test.subscribe();
select tasker_test.read();
select is(tasker.leave_subscription('all', gen_random_uuid()), false, 'a process that is not its reader changes nothing');
select is(tasker.leave_subscription('all', '01980000-0000-7000-8000-00000000000b'), true, 'the reader leaves the subscription');
select lives_ok($$ select tasker.read_events('all', gen_random_uuid()) $$, 'another process reads at once');
select is(tasker.leave_subscription('all', null), false, 'a null reader changes nothing');
select throws_ok($$ select tasker.leave_subscription('nothing', gen_random_uuid()) $$, 'TK404', 'subscription "nothing" does not exist', 'an unknown subscription is refused');

select * from finish();
rollback;
