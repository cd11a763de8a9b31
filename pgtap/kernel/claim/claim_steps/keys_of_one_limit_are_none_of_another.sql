begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.limited('stripe', '$.key');
select tasker_test.limited('bank', '$.key', 'ship');
select tasker.set_limit('test', 'bank', 0);
select tasker_test.make_limited(1, 'theirs', 'ship');
select from tasker.claim_steps('{test}', tasker_test.worker(), 10, p_handlers => '{ship}');
select is((select count(*) from tasker.limit_lines as s where s.limit_key = '"theirs"' or s.limit_key = 'theirs'), 1::bigint, 'the steps of one limit stand in a line');

-- The other limit has been changed since, so lines that are older than its bounds are read again.
select tasker.set_limit('test', 'stripe', n) from generate_series(1, 3) as n;
select tasker_test.make_limited(1, 'ours');
select is(
  (select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 10, p_handlers => '{pay}')),
  1::bigint, 'a claim takes the step of the other limit'
);
select results_eq(
  $$ select l.name, k.limit_key from tasker.limit_keys as k join tasker.limits as l on l.limit_no = k.limit_no order by l.name $$,
  $$ values ('bank', 'theirs'), ('stripe', 'ours') $$, 'each limit has its own keys only'
);

select * from finish();
rollback;
