begin;
select plan(6);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit_key('test', 'tenant', 'slow', p_rate => 1, p_per_seconds => 60);
select tasker_test.make_limited(3, 'slow');
select tasker_test.make_limited(3, 'fast');
select is((select count(*) from tasker_test.claim(100)), 4::bigint, 'one step of the key starts, and all of the other one');
select results_eq(
  $$ select k.limit_key, k.next_start_at, k.rate, k.per_seconds, k.burst from tasker.list_limit_keys('test', 'tenant') as k where k.waiting > 0 $$,
  $$ values ('slow', '2026-03-01 12:01+00'::timestamptz, 1, 60, 1) $$, 'the list says when the key''s rate allows the next start'
);
select is(tasker.next_due_at('{test}'), '2026-03-01 12:01+00'::timestamptz, 'workers know when');
select tasker_test.freeze('2026-03-01 12:01+00');
select is((select count(*) from tasker_test.claim(100)), 1::bigint, 'the next one starts then');
select is(tasker.drop_limit_key('test', 'tenant', 'slow'), true, 'the rate is dropped');
select is((select count(*) from tasker_test.claim(100)), 1::bigint, 'without it the last one starts at once');

select * from finish();
rollback;
