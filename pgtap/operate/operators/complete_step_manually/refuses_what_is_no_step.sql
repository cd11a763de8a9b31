begin;
select plan(3);

select tasker_test.create_task();
select throws_ok('select tasker.complete_step_manually(null, null)', 'TK404', 'step null does not exist', 'a null step is refused');
select throws_ok(
  $$ select tasker.complete_step_manually('00000000-0000-0000-0000-000000000000', '{}') $$,
  'TK404', 'step 00000000-0000-0000-0000-000000000000 does not exist', 'an unknown step is refused'
);
select throws_ok(
  $$ select tasker.complete_step_manually(tasker_test.the_task(), '{}') $$,
  'TK404', format('step %s does not exist', tasker_test.the_task()), 'the UUID of a task is refused'
);

select * from finish();
rollback;
