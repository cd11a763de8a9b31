begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour');

select ok(tasker.resolve_step_manually(tasker_test.the_step('top')), 'a step of a task that has not started is resolved');
select is(
  tasker_test.states(), 'pending: top=resolved_manually left=pending right=pending bottom=pending', 'the task is still pending'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.pass('2 hours');
select is(tasker.fire_due_timers(), 1, 'the start fires in its time');
select is(
  tasker_test.states(), 'steps_in_process: top=resolved_manually left=enqueued right=enqueued bottom=pending', 'the task starts with the remaining steps'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
