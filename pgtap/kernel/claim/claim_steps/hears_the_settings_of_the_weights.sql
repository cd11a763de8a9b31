begin;
select plan(1);

select tasker_test.freeze();
select tasker.set_setting('lane_weight_high', '1');
select tasker.set_setting('lane_weight_low', '3');
select tasker.register_task_template('{"namespace": "test", "name": "fast", "steps": [{"name": "a", "priority": 9}]}');
select tasker.register_task_template('{"namespace": "test", "name": "slow", "steps": [{"name": "a", "priority": -1}]}');
select count(*)
  from unnest('{fast,slow}'::text[]) as u (name)
 cross join lateral tasker.create_tasks('test', u.name, array(select jsonb_build_object('n', n) from generate_series(1, 60) as n));
select results_eq(
  $$ select c.priority, count(*) from tasker_test.claim(40) as c group by 1 order by 1 $$, $$ values (-1, 30::bigint), (9, 10::bigint) $$,
  'lanes without steps get no share'
);

select * from finish();
rollback;
