begin;
select plan(5);

select tasker_test.take_turn();

select tasker_test.register_diamond();
create temporary table made as select * from tasker.create_task('test', 'diamond', '{"a": 1, "b": [1, 2]}');

select results_eq(
  $$ select c.task_uuid, c.created from tasker.create_task('test', 'diamond', '{"b": [1, 2], "a": 1}') as c $$,
  $$ select m.task_uuid, false from made as m $$,
  'the same context, in any order of its keys, finds the same task'
);
select is(
  (select c.created from tasker.create_task('test', 'diamond', '{"a": 1, "b": [2, 1]}') as c), true,
  'another context creates another task'
);
select is((select count(*) from tasker.tasks as t join tasker.named_tasks as k on k.named_task_uuid = t.named_task_uuid where k.name = 'diamond'), 2::bigint, 'two tasks exist');

select tasker.transition_task_state_atomic((select m.task_uuid from made as m), 'steps_in_process', 'cancelled');
select is(
  (select c.created from tasker.create_task('test', 'diamond', '{"a": 1, "b": [1, 2]}') as c), false,
  'the same context creates no task after the first one has ended'
);
select is(
  (select c.task_uuid from tasker.create_task('test', 'diamond', '{"a": 1, "b": [1, 2]}') as c), (select m.task_uuid from made as m),
  'it still finds the first task'
);

select * from finish();
rollback;
