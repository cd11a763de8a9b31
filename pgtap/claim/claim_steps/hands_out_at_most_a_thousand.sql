begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select count(*) from tasker.create_tasks('test', 'one', array(select jsonb_build_object('n', n) from generate_series(1, 1010) as n));
select is_empty('select from tasker_test.claim(0)', 'none if none is asked for');
select is((select count(*) from tasker_test.claim(1000)), 1000::bigint, 'a thousand');
select is((select count(*) from tasker_test.claim(1000)), 10::bigint, 'then the rest');

select * from finish();
rollback;
