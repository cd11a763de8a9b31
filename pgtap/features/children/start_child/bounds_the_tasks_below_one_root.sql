begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.take_turn();
select setseed(0.5);
select tasker.set_setting('max_task_tree', '20');
select tasker.register_task_template('{"namespace": "test", "name": "bomb", "identity_strategy": "always_unique", "steps": [
  {"name": "k1", "task": {"name": "bomb"}}, {"name": "k2", "task": {"name": "bomb"}}, {"name": "k3", "task": {"name": "bomb"}}
]}');
select tasker_test.launch('bomb');
select tasker.fire_due_timers() from generate_series(1, 30);
select cmp_ok((select count(*) from tasker.tasks as t where t.parent_step_uuid is not null), '>=', 20::bigint, 'a template that starts itself starts as many tasks as the setting allows');
select cmp_ok((select count(*) from tasker.tasks as t where t.parent_step_uuid is not null), '<=', 60::bigint, 'and few more');
select is((select count(*) from tasker.timers as m where m.kind = 'start_child'), 0::bigint, 'no start is left');
select is(
  (select count(distinct s.last_error) from tasker.workflow_steps as s where s.state = 'error' and s.last_error not like 'step %'), 1::bigint,
  'the steps fail'
);
select matches(
  (select min(s.last_error) from tasker.workflow_steps as s where s.last_error like 'more%'),
  '^more than 20 tasks stand below task [-0-9a-f]{36}; the setting "max_task_tree" is the limit$', 'and say why'
);

select tasker_test.family('{}', '{"steps": [{"name": "grandkid", "task": {"name": "leaf"}}]}');
select tasker_test.register('leaf', 'l');
select tasker.fire_due_timers() from generate_series(1, 3);
select is((select count(*) from tasker.tasks as t join tasker.named_tasks as k using (named_task_uuid) where k.name = 'leaf'), 1::bigint, 'another root starts its own');

select * from finish();
rollback;
