begin;
select plan(2);

select tasker_test.create_task();
select throws_ok('select from tasker.get_step_audit_history(null)', 'TK404', 'step null does not exist', 'a null step is refused');
select throws_ok(
  'select from tasker.get_step_audit_history(tasker_test.the_task())',
  'TK404', format('step %s does not exist', tasker_test.the_task()), 'the UUID of a task is refused'
);

select * from finish();
rollback;
