begin;
select plan(5);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit('test', 'tenant', 5, 1, 60);
select tasker_test.make_limited(2, 'a');
select tasker_test.make_limited(4, 'b');
select tasker_test.claim();
select results_eq(
  $$ select k.limit_key, k.in_use, k.waiting, k.next_start_at from tasker.list_limit_keys('test', 'tenant') as k $$,
  $$ values ('b', 1::bigint, 3::bigint, '2026-03-01 12:01+00'::timestamptz), ('a', 1, 1, '2026-03-01 12:01+00') $$, 'the longest line comes first, with the time of its next start'
);
select is((select count(*) from tasker.list_limit_keys('test', 'tenant', 1)), 1::bigint, 'p_limit limits the rows');
select throws_ok($$ select tasker.list_limit_keys('test', 'no') $$, 'TK404', 'limit "test/no" does not exist', 'an unknown limit is refused');
select throws_ok($$ select tasker.list_limit_keys('test', 'tenant', 0) $$, 'TK422', 'a limit of 0 is out of range', 'a p_limit of zero is refused');
select throws_ok($$ select tasker.list_limit_keys(null, null) $$, 'TK404', 'the namespace of the limit is null', 'null names are refused');

select * from finish();
rollback;
