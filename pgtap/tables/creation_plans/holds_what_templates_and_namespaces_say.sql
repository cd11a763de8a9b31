begin;
select plan(13);

select tasker_test.take_turn();
prepare differences as
  (select (tasker.current_plan(k.named_task_uuid)).* from tasker.named_tasks as k except select * from tasker.creation_plans)
  union all
  (select * from tasker.creation_plans except select (tasker.current_plan(k.named_task_uuid)).* from tasker.named_tasks as k);
select tasker.register_task_template('{"namespace": "test", "name": "v", "version": "1.0.0", "steps": [
  {"name": "a"}, {"name": "b"}, {"name": "c", "await": {"signal": "go"}}, {"name": "d", "dependencies": ["a"], "compensate": "undo"}]}');
select tasker.register_task_template('{"namespace": "test", "name": "waits", "steps": [{"name": "c", "await": {"signal": "go"}}]}');
select tasker.register_task_template('{"namespace": "test", "name": "empty", "steps": []}');
select tasker.register_task_template('{"namespace": "test", "name": "one", "steps": [
  {"name": "b", "dependencies": ["a"]}, {"name": "a", "priority": 7, "handler": "first"}]}');
select is_empty('differences', 'a registration writes the plan');
select results_eq(
  $$ select p.name, p.state::text, p.total_steps, p.active_steps, p.suspended_steps, p.path::integer, p.ready, p.undo, p.first_no from tasker.creation_plans as p where p.namespace = 'test' order by 1 $$,
  $$ values
    ('empty', 'complete', 0, 0, 0, 19, null::jsonb, null::jsonb, null::integer),
    ('one', 'steps_in_process', 2, 1, 0, 38, '{"count": 1, "step_nos": [2]}', null, 2),
    ('v', 'steps_in_process', 4, 2, 1, 38, '{"count": 2, "step_nos": [1, 2, 3]}', '{}', null),
    ('waits', 'waiting_for_dependencies', 1, 0, 1, 33, null, null, null) $$,
  'it says how a task begins'
);
select results_eq(
  $$ select p.first_no, h.name, p.first_priority from tasker.creation_plans as p join tasker.named_steps as h on h.named_step_uuid = p.first_handler where p.namespace = 'test' $$,
  $$ values (2, 'first', 7) $$,
  'it has the only first step, if a handler runs it'
);
select tasker.retire_task_template('test', 'v', '1.0.0');
select is_empty('differences', 'a retired version is retired in the plan');
select tasker.pause_namespace('test', 'ann');
select is_empty('differences', 'a pause is in the plan');
select tasker.resume_namespace('test', 'ann');
select tasker.register_namespace('test', p_notify => 'always');
select is_empty('differences', 'the namespace''s own notifications are in the plan');
select tasker.register_namespace('test', p_notify => 'default', p_transport => 'broker');
select is_empty('differences', 'its transport is in the plan');

-- No function makes these changes: the plan follows the tables, whoever changes them.
update tasker.task_namespaces set name = 'renamed' where name = 'test';
select is_empty('differences', 'a renamed namespace is renamed in the plan');
update tasker.named_tasks set version = '9.9.9', root_steps = 3, identity_strategy = 'always_unique' where name = 'v';
select is_empty('differences', 'a template that its owner changes');
update tasker.named_tasks_named_steps set total_parents = 1 where step_name = 'b';
select is_empty('differences', 'a step that its owner changes');
delete from tasker.named_tasks_named_steps where step_name = 'c';
select is_empty('differences', 'a step that its owner deletes');

select is_empty(
  $$ select p.problem from tasker.check_integrity() as p where p.object = 'creation_plans' $$, 'check_integrity() finds no difference'
);
update tasker.creation_plans set active_steps = 7 where name = 'v';
select results_eq(
  $$ select p.problem from tasker.check_integrity() as p where p.object = 'creation_plans' $$,
  $$ values ('template "v" version "9.9.9" is created by a plan that is not its own') $$,
  'it finds a plan that was forged'
);

select * from finish();
rollback;
