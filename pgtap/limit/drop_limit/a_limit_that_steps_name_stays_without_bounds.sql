begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', 1);
select tasker.set_limit('test', 'unused', 1);
select tasker_test.make_limited(3);
select is((select count(*) from tasker_test.claim()), 1::bigint, 'one runs');
select is(tasker.drop_limit('test', 'unused'), true, 'one that no step names is gone');
select is(tasker.drop_limit('test', 'stripe'), false, 'one that steps name stays');
select results_eq(
  'select l.name, l.concurrency, l.rate from tasker.list_limits() as l', $$ values ('stripe', null::integer, null::integer) $$, 'without bounds'
);
select is((select count(*) from tasker_test.claim()), 2::bigint, 'so all are handed out');
select throws_ok($$ select tasker.drop_limit('test', 'unused') $$, 'TK404', 'limit "test/unused" does not exist', 'what is gone cannot be dropped');
select throws_ok('select tasker.drop_limit(null, null)', 'TK404', 'limit "/" does not exist', 'nor can nothing');

select * from finish();
rollback;
