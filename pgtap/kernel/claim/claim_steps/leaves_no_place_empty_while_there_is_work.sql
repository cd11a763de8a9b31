begin;
select plan(2);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "fast", "steps": [{"name": "a", "priority": 9}]}');
select tasker.register_task_template('{"namespace": "test", "name": "slow", "steps": [{"name": "a", "priority": -1}]}');
select count(*) from tasker.create_tasks('test', 'slow', array(select jsonb_build_object('n', n) from generate_series(1, 100) as n));
select is((select count(*) from tasker_test.claim(50)), 50::bigint, 'a single lane gets the whole claim');
select count(*) from tasker.create_tasks('test', 'fast', array(select jsonb_build_object('n', n) from generate_series(1, 3) as n));
select results_eq(
  $$ select c.priority, count(*) from tasker_test.claim(40) as c group by 1 order by 1 $$, $$ values (-1, 37::bigint), (9, 3::bigint) $$,
  'other lanes get what one does not need of its share'
);

select * from finish();
rollback;
