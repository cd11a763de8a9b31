begin;
select plan(4);

select tasker_test.make_task();

select throws_ok(
  $$ select tasker.transition_task_state_atomic(null, 'pending', 'initializing') $$,
  'TK404', 'task null does not exist',
  'a null task is refused'
);
select throws_ok(
  $$ select tasker.transition_task_state_atomic(tasker_test.the_step('top'), 'pending', 'initializing') $$,
  'TK404', format('task %s does not exist', tasker_test.the_step('top')),
  'the UUID of a step is refused'
);
select throws_ok(
  $$ select tasker.transition_task_state_atomic('01a1fdfe-814d-7276-80af-60b4800d0000', 'pending', 'initializing') $$,
  'TK404', 'task 01a1fdfe-814d-7276-80af-60b4800d0000 does not exist',
  'the UUID of a task that was never created is refused'
);
select throws_ok(
  $$ select tasker.transition_task_state_atomic('6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b7c11', 'pending', 'initializing') $$,
  'TK404', 'task 6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b7c11 does not exist',
  'any other UUID is refused'
);

select * from finish();
rollback;
