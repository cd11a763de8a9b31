begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker_test.complete_step(tasker_test.the_step('top'));

select is(tasker.advance_task(tasker_test.the_task())::text, 'steps_in_process', 'a task continues after a direct call has completed a step');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=enqueued bottom=pending', 'the children of the step are enqueued'
);
select tasker_test.complete_step(tasker_test.the_step(u.name)) from unnest('{left, right, bottom}'::text[]) as u (name);
select is(tasker.advance_task(tasker_test.the_task())::text, 'complete', 'a task whose last step was completed is complete');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
