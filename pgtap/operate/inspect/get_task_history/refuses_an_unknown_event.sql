begin;
select plan(2);

select tasker_test.create_task();
select throws_ok(
  'select from tasker.get_task_history(tasker_test.the_task(), p_after_sort_key => 2147483647)',
  'TK422', 'the history has no such event to begin after', 'the largest sort key of a task is refused as any unknown one'
);
select throws_ok(
  'select from tasker.get_task_history(tasker_test.the_task(), p_after_step_no => 1, p_after_sort_key => 2147483647)',
  'TK422', 'the history has no such event to begin after', 'the largest sort key of a step is refused as any unknown one'
);

select * from finish();
rollback;
