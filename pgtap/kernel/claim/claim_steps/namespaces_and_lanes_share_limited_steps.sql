begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.limited();
select tasker.register_task_template('{"namespace": "other", "name": "pay", "identity_strategy": "always_unique", "steps": [{"name": "pay", "limit": "t", "limit_key": "$.key"}]}');
select tasker_test.make_limited(100);
select from tasker.create_tasks('other', 'pay', array(select jsonb_build_object('key', i) from generate_series(1, 100) as i));
select from tasker.claim_steps('{test,other}', tasker_test.worker(), 20);
select is(
  (select count(*) from tasker.step_queue as q where q.lane = 'running' and q.namespace = 'test') between 1 and 19, true,
  'a namespace with one key is served beside one with a hundred'
);

select tasker.register_task_template('{"namespace": "test", "name": "free", "identity_strategy": "always_unique", "steps": [{"name": "free"}]}');
select from tasker.create_tasks('test', 'free', array_fill('{}'::jsonb, array[100]));
create temporary table claimed as
  select c.name, count(*) as steps from tasker.claim_steps('{test}', tasker_test.worker(), 20) as c group by c.name;
select results_eq('select c.name, c.steps from claimed as c order by 1', $$ values ('free', 10::bigint), ('pay', 10) $$, 'steps without a limit get half of a claim');
select is((select count(*) from tasker_test.claim(1000)) > 100, true, 'limited steps get what the others leave');

select tasker_test.make_limited(100);
select tasker_test.make_limited(100, p_priority => 1);
select tasker_test.make_limited(100, p_priority => -1);
select is(
  (
    select count(*) filter (where c.priority > 0) > count(*) filter (where c.priority = 0) and count(*) filter (where c.priority < 0) > 0
      from tasker_test.claim(100) as c
  ),
  true, 'lanes share a key by their weights'
);

select * from finish();
rollback;
