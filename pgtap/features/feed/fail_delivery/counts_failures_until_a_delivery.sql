begin;
select plan(7);

select tasker_test.subscribe();
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{}');
select r.place as first from tasker_test.read(1) as r \gset
select is(tasker.fail_delivery('all', '01980000-0000-7000-8000-00000000000b', 'no route', 5), 1, 'the first failure is counted');
select is(tasker.fail_delivery('all', '01980000-0000-7000-8000-00000000000b', 'refused', 10), 2, 'the second failure is counted');
select results_eq(
  'select s.failures, s.last_error, s.next_attempt_at - tasker.clock() from tasker.list_subscriptions() as s',
  $$ values (2, 'refused', interval '10 seconds') $$, 'list_subscriptions shows the count, the last error and the next attempt'
);
select throws_ok($$ select tasker.fail_delivery('all', gen_random_uuid(), 'x', 1) $$, 'TK409', 'subscription "all" is read by another process', 'another process may not report a failure');
select throws_ok($$ select tasker.fail_delivery('all', '01980000-0000-7000-8000-00000000000b', null, 1) $$, 'TK422', 'a failed delivery cannot be noted with these arguments', 'a null error is refused');
select throws_ok($$ select tasker.fail_delivery('all', '01980000-0000-7000-8000-00000000000b', 'x', 'NaN') $$, 'TK422', 'a failed delivery cannot be noted with these arguments', 'a delay of NaN is refused');
select tasker_test.acknowledge(:'first');
select results_eq('select s.failures, s.next_attempt_at from tasker.list_subscriptions() as s', $$ values (0, null::timestamptz) $$, 'an acknowledgement clears the failures');

select * from finish();
rollback;
