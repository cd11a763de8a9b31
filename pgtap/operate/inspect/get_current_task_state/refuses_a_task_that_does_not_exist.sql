begin;
select plan(4);

select tasker_test.make_task();

select throws_ok(
  $$ select tasker.get_current_task_state(null) $$,
  'TK404', 'task null does not exist',
  'a null task is refused'
);
select throws_ok(
  $$ select tasker.get_current_task_state(tasker_test.the_step('top')) $$,
  'TK404', format('task %s does not exist', tasker_test.the_step('top')),
  'the UUID of a step is refused'
);
select throws_ok(
  $$ select tasker.get_current_task_state('01a1fdfe-814d-7276-80af-60b4800d0000') $$,
  'TK404', 'task 01a1fdfe-814d-7276-80af-60b4800d0000 does not exist',
  'the UUID of a task that was never created is refused'
);
select throws_ok(
  $$ select tasker.get_current_task_state('6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b7c11') $$,
  'TK404', 'task 6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b7c11 does not exist',
  'a random UUID is refused'
);

select * from finish();
rollback;
