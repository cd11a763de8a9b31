begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select is(tasker_test.fail_for_good('top', false), 'retrying', 'a step waits for its next attempt');

select ok(tasker.retry_step(tasker_test.the_step('top')), 'retry_step returns true');
select is(
  tasker_test.states(), 'steps_in_process: top=enqueued left=pending right=pending bottom=pending', 'the step is enqueued'
);
select is(
  (select s.attempts from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), 1,
  'the failed attempt still counts'
);
select is_empty('select from tasker.timers where task_uuid = tasker_test.the_task()', 'its timer is deleted');
select tasker_test.pass('1 hour');
select is(tasker.fire_due_timers(), 0, 'no timer fires');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
