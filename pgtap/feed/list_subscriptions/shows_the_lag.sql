begin;
select plan(5);

select tasker_test.subscribe();
select tasker_test.pass('1 minute');
select is((select s.lag_seconds from tasker.list_subscriptions() as s), 60::double precision, 'with no reader, the age of the subscription');
select tasker_test.read();
select results_eq(
  'select s.lag_seconds, s.reader, s.leased_until - tasker.clock() from tasker.list_subscriptions() as s',
  $$ values (0::double precision, current_user::text collate "default", interval '30 seconds') $$, 'a reader has come to now'
);
select tasker_test.pass('3 seconds');
select tasker_test.read();
select is((select s.lag_seconds from tasker.list_subscriptions() as s), 3::double precision, 'a look that finds nothing writes every five seconds only');
select tasker_test.pass('3 seconds');
select tasker_test.read();
select is((select s.lag_seconds from tasker.list_subscriptions() as s), 0::double precision, 'then it does');
select throws_ok($$ select tasker.list_subscriptions('nothing') $$, 'TK404', 'subscription "nothing" does not exist', 'an unknown one');

select * from finish();
rollback;
