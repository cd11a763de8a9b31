begin;
select plan(2);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.register_task_template('{"namespace": "test", "name": "inner", "identity_strategy": "always_unique", "steps": [{"name": "each", "for_each": "$.lines"}]}');
select tasker_test.create_waiting(
  'outer', '[{"name": "each", "for_each": "$.lines"},
             {"name": "sub", "dependencies": ["each"], "task": {"name": "inner", "context": {"lines": {"step": "each"}}}}]',
  p_context => '{"lines": [1, 2]}'
);
select tasker_test.expand();
select tasker_test.finish_instances('each');
select tasker_test.expand(), tasker_test.expand(), tasker_test.expand();
select is(
  (select t.context from tasker.tasks as t join tasker.workflow_steps as s on s.child_task_uuid = t.task_uuid where s.task_uuid = tasker_test.the_task() and s.name = 'sub'),
  '{"lines": [{"got": 1}, {"got": 2}]}', 'a step that starts a task passes the array on'
);
create temporary table outer_task as select tasker_test.the_task() as task_uuid;
select set_config('tasker_test.task', (select s.child_task_uuid::text from tasker.workflow_steps as s, outer_task as o where s.task_uuid = o.task_uuid and s.name = 'sub'), true);
select tasker_test.finish_instances('each');
select tasker_test.expand(), tasker_test.expand();
select is(
  (select s.state || ' ' || (s.results)::text from tasker.workflow_steps as s, outer_task as o where s.task_uuid = o.task_uuid and s.name = 'sub'),
  'complete {"each": [{"got": {"got": 1}}, {"got": {"got": 2}}]}', 'such a step takes the results of a map that ends its task'
);

select * from finish();
rollback;
