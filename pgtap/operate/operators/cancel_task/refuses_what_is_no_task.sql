begin;
select plan(3);

select tasker_test.create_task();

select throws_ok('select tasker.cancel_task(null)', 'TK404', 'task null does not exist', 'a null task is refused');
select throws_ok(
  $$ select tasker.cancel_task('00000000-0000-0000-0000-000000000000') $$,
  'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'an unknown task is refused'
);
select throws_ok(
  $$ select tasker.cancel_task(tasker_test.the_step('top')) $$,
  'TK404', format('task %s does not exist', tasker_test.the_step('top')), 'the UUID of a step is refused'
);

select * from finish();
rollback;
