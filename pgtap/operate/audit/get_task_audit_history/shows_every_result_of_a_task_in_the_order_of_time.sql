begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.pass('1 minute');
select tasker_test.run('right');
select tasker_test.pass('1 minute');
select tasker_test.claim('left');
select tasker_test.fail_for_good('left');

select results_eq(
  'select a.step_name, a.success, a.error from tasker.get_task_audit_history(tasker_test.the_task()) as a',
  $$ values ('top', true, null), ('right', true, null), ('left', false, 'the bank is closed') $$, 'it returns every result of the task, oldest first'
);
select results_eq(
  'select a.step_name from tasker.get_task_audit_history(tasker_test.the_task(), 2) as a', $$ values ('top'), ('right') $$,
  'it returns no more rows than the limit'
);
select tasker_test.create_task();
select is_empty('select from tasker.get_task_audit_history(tasker_test.the_task())', 'it returns no row for a task without results');

select * from finish();
rollback;
