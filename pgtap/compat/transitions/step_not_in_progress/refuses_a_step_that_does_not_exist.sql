begin;
select plan(4);

select tasker_test.make_task();

select throws_ok(
  $$ select tasker.step_not_in_progress(null) $$,
  'TK404', 'step null does not exist',
  'a null step is refused'
);
select throws_ok(
  $$ select tasker.step_not_in_progress(tasker.step_uuid(tasker_test.the_task(), 5)) $$,
  'TK404', format('step %s does not exist', tasker.step_uuid(tasker_test.the_task(), 5)),
  'a number that the task does not have is refused'
);
select throws_ok(
  $$ select tasker.step_not_in_progress(tasker_test.the_task()) $$,
  'TK404', format('step %s does not exist', tasker_test.the_task()),
  'the UUID of a task is refused'
);
select throws_ok(
  $$ select tasker.step_not_in_progress('6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b7c11') $$,
  'TK404', 'step 6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b7c11 does not exist',
  'any other UUID is refused'
);

select * from finish();
rollback;
