begin;
select plan(3);

select tasker_test.make_task_with_steps_in_every_state();
create temporary table context as select * from tasker.get_task_execution_context(tasker_test.the_task());
select is(
  (select c.pending_steps + c.enqueued_steps + c.in_progress_steps + c.retrying_steps + c.suspended_steps + c.completed_steps
        + c.failed_steps + c.cancelled_steps from context as c),
  (select count(*) from tasker.list_steps(tasker_test.the_task())),
  'each step is in one of the counts'
);
select results_eq(
  'select c.enqueued_steps, c.in_progress_steps, c.retrying_steps, c.failed_steps, c.completed_steps, c.cancelled_steps from context as c',
  $$ values (1::bigint, 3::bigint, 1::bigint, 1::bigint, 2::bigint, 1::bigint) $$, 'each count has the steps of its states'
);
select is(
  (select c.ready_steps from context as c), (select count(*) from tasker.get_ready_steps(tasker_test.the_task())),
  'the number of ready steps is the one that readiness derives'
);

select * from finish();
rollback;
