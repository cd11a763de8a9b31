begin;
select plan(4);

select tasker_test.create_task();
select throws_ok('select tasker.retry_step(null)', 'TK404', 'step null does not exist', 'a null step is refused');
select throws_ok(
  $$ select tasker.retry_step('00000000-0000-0000-0000-000000000000') $$,
  'TK404', 'step 00000000-0000-0000-0000-000000000000 does not exist', 'an unknown step is refused'
);
select throws_ok(
  'select tasker.retry_step(tasker_test.the_task())',
  'TK404', format('step %s does not exist', tasker_test.the_task()), 'the UUID of a task is refused'
);
select throws_ok(
  'select tasker.retry_step(tasker.step_uuid(tasker_test.the_task(), 5))',
  'TK404', format('step %s does not exist', tasker.step_uuid(tasker_test.the_task(), 5)), 'a step number beyond the task is refused'
);

select * from finish();
rollback;
