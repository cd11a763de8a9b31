begin;
select plan(5);

select tasker_test.subscribe();
select tasker_test.pass('1 minute');
select is((select s.lag_seconds from tasker.list_subscriptions() as s), 60::double precision, 'the lag of a subscription without a reader is its age');
select tasker_test.read();
select results_eq(
  'select s.lag_seconds, s.reader, s.leased_until - tasker.clock() from tasker.list_subscriptions() as s',
  $$ values (0::double precision, current_user::text collate "default", interval '30 seconds') $$, 'a read ends the lag and takes a lease of 30 seconds'
);
select tasker_test.pass('3 seconds');
select tasker_test.read();
select is((select s.lag_seconds from tasker.list_subscriptions() as s), 3::double precision, 'an empty read writes nothing within five seconds of the last write');
select tasker_test.pass('3 seconds');
select tasker_test.read();
select is((select s.lag_seconds from tasker.list_subscriptions() as s), 0::double precision, 'an empty read writes the subscription after five seconds');
select throws_ok($$ select tasker.list_subscriptions('nothing') $$, 'TK404', 'subscription "nothing" does not exist', 'an unknown subscription is refused');

select * from finish();
rollback;
