begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task(p_deferred => true);

select is(tasker.advance_task(tasker_test.the_task())::text, 'steps_in_process', 'it returns the new state of the task');
select is(
  tasker_test.states(), 'steps_in_process: top=enqueued left=pending right=pending bottom=pending', 'the root steps are enqueued'
);
select tasker_test.remember_rows();
select is(tasker.advance_task(tasker_test.the_task())::text, 'steps_in_process', 'a second call returns the same state');
select is_empty($$ select t from tasker_test.changed_tables() as t where t is distinct from 'tasker.tasks' $$, 'a second call changes only the row of the task');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
