begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit('test', 'tenant', 2);
select tasker.set_limit_key('test', 'tenant', 'a', 0);
select tasker_test.make_limited(5, 'a');
select is((select count(*) from tasker_test.claim(100)), 0::bigint, 'no step of the key starts');
select is(tasker.drop_limit_key('test', 'tenant', 'a'), true, 'the key had bounds of its own');
select is((select count(*) from tasker_test.claim(100)), 2::bigint, 'as many start as the limit allows');
select is(tasker.drop_limit_key('test', 'tenant', 'a'), false, 'a second time there is nothing to drop');
select is(tasker.drop_limit_key('test', 'tenant', null), false, 'a null key has no bounds');
select throws_ok($$ select tasker.drop_limit_key('test', 'no', 'a') $$, 'TK404', 'limit "test/no" does not exist', 'an unknown limit is refused');
select tasker.set_limit('test', 'unused', 1);
select tasker.set_limit_key('test', 'unused', 'a', 1);
select is(tasker.drop_limit('test', 'unused'), true, 'a limit whose keys have bounds can be dropped');
select is_empty($$ select from tasker.limit_bounds as b where b.name = 'unused' $$, 'and its keys'' bounds go with it');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
