begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task(p_deferred => true);

select ok(tasker.resolve_step_manually(tasker_test.the_step('top')), 'a step of a task that has not started is resolved');
select is(
  tasker_test.states(), 'pending: top=resolved_manually left=pending right=pending bottom=pending', 'the task is still pending'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is(tasker_test.orchestrate(), '0 requests, 0 timers, 1 tasks, 0 lost, 0 results', 'an orchestrator starts it');
select is(
  tasker_test.states(), 'steps_in_process: top=resolved_manually left=enqueued right=enqueued bottom=pending', 'the task starts with the remaining steps'
);

select * from finish();
rollback;
