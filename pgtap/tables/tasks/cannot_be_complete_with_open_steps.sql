-- These constraints also hold for statements that bypass the functions, even the owner's.
begin;
select plan(5);

select tasker_test.make_task_in('evaluating_results');

select throws_ok(
  $$ update tasker.tasks set state = 'complete', complete = true, completed_at = now() where task_uuid = tasker_test.the_task() $$,
  '23514',
  'new row for relation "tasks" violates check constraint "tasks_complete_has_no_open_steps_check"',
  'a task with open steps cannot be complete'
);

select tasker_test.move_step(tasker_test.the_step('top'), 'error');
select throws_ok(
  $$
  update tasker.tasks
       set state = 'complete', complete = true, completed_at = now(), open_steps = 0
     where task_uuid = tasker_test.the_task()
  $$,
  '23514',
  'new row for relation "tasks" violates check constraint "tasks_complete_has_no_open_steps_check"',
  'a task with a failed step cannot be complete'
);

select tasker_test.make_task_in('steps_in_process');
select throws_ok(
  $$ update tasker.tasks set state = 'error', complete = true, completed_at = now() where task_uuid = tasker_test.the_task() $$,
  '23514',
  'new row for relation "tasks" violates check constraint "tasks_ended_has_no_active_steps_check"',
  'a task with a step in the pipeline cannot end'
);
select throws_ok(
  $$ update tasker.tasks set state = 'cancelled', complete = true, active_steps = 0 where task_uuid = tasker_test.the_task() $$,
  '23514',
  'new row for relation "tasks" violates check constraint "tasks_completed_at_check"',
  'a task that has ended must have the time of its end'
);

select throws_ok(
  $$ update tasker.tasks set complete = true, active_steps = 0, completed_at = now() where task_uuid = tasker_test.the_task() $$,
  '23514',
  'new row for relation "tasks" violates check constraint "tasks_complete_check"',
  'the column complete must agree with the state'
);

select * from finish();
rollback;
