begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', 1);
select tasker.set_limit('test', 'unused', 1);
select tasker_test.make_limited(3);
select is((select count(*) from tasker_test.claim()), 1::bigint, 'one step runs');
select is(tasker.drop_limit('test', 'unused'), true, 'drop_limit deletes a limit that no step names');
select is(tasker.drop_limit('test', 'stripe'), false, 'drop_limit keeps a limit that steps name');
select results_eq(
  'select l.name, l.concurrency, l.rate from tasker.list_limits() as l', $$ values ('stripe', null::integer, null::integer) $$, 'the kept limit has no bounds'
);
select is((select count(*) from tasker_test.claim()), 2::bigint, 'a limit without bounds hands out all steps');
select throws_ok($$ select tasker.drop_limit('test', 'unused') $$, 'TK404', 'limit "test/unused" does not exist', 'a deleted limit cannot be dropped again');
select throws_ok('select tasker.drop_limit(null, null)', 'TK404', 'the namespace of the limit is null', 'null names are refused');

select * from finish();
rollback;
