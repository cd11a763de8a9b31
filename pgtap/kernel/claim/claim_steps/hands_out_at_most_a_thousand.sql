begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select count(*) from tasker.create_tasks('test', 'one', array(select jsonb_build_object('n', n) from generate_series(1, 1010) as n));
select is_empty('select from tasker_test.claim(0)', 'a limit of zero claims nothing');
select is((select count(*) from tasker_test.claim(1000)), 1000::bigint, 'a claim gets at most a thousand steps');
select is((select count(*) from tasker_test.claim(1000)), 10::bigint, 'the next claim gets the rest');

select * from finish();
rollback;
