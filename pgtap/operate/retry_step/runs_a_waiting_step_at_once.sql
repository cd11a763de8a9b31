begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select is(tasker_test.fail_for_good('top', false), 'retrying', 'a step waits for its next attempt');

select ok(tasker.retry_step(tasker_test.the_step('top')), 'which is to be now');
select is(
  tasker_test.states(), 'steps_in_process: top=enqueued left=pending right=pending bottom=pending', 'it is in the queue'
);
select is(
  (select s.attempts from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), 1,
  'the attempt that failed counts'
);
select is_empty('select from tasker.timers where task_uuid = tasker_test.the_task()', 'its timer is gone');
select tasker_test.pass('1 hour');
select is(tasker.fire_due_timers(), 0, 'and fires nothing');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
