begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task(p_deferred => true, p_deadline => tasker.clock() + interval '1 hour');
select tasker_test.pass('90 minutes');
select tasker.fire_due_timers();
select is(
  tasker_test.states(), 'error: top=pending left=pending right=pending bottom=pending', 'a deferred task has failed before it started'
);
select is_empty('select tasker_test.violations()', 'the failed task no longer waits for an orchestrator');

select ok(tasker.reset_task(tasker_test.the_task()), 'reset_task returns true');
select is(
  tasker_test.states(), 'steps_in_process: top=enqueued left=pending right=pending bottom=pending', 'the task starts'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
