begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task(p_deferred => true);

select is(tasker.advance_task(tasker_test.the_task())::text, 'steps_in_process', 'the answer is where the task is then');
select is(
  tasker_test.states(), 'steps_in_process: top=enqueued left=pending right=pending bottom=pending', 'its roots are ready'
);
select tasker_test.remember_rows();
select is(tasker.advance_task(tasker_test.the_task())::text, 'steps_in_process', 'the same call again');
select is_empty($$ select t from tasker_test.changed_tables() as t where t <> 'tasker.tasks' $$, 'finds nothing to do');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
