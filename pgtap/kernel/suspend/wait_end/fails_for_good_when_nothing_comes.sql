begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[
  {"name": "approve", "await": {"signal": "approved"}, "timeout": "3d"}, {"name": "ship", "dependencies": ["approve"]}
]');
select tasker_test.pass('3 days');
select is(tasker.fire_due_timers(), 1, 'the timer of the time-out fires');
select is(tasker_test.states(), 'blocked_by_failures: approve=error ship=pending', 'a time-out fails the step for good');
select is(
  (select a.success::text || ' ' || l.metadata from tasker.step_result_audit as a
     join tasker.workflow_step_transition_log as l on l.task_uuid = a.task_uuid and l.sort_key = 2 where a.task_uuid = tasker_test.the_task()),
  'false {"error": "timed out after 259200 seconds", "permanent": true}', 'the time-out is recorded as a failed result'
);
select ok(tasker.retry_step(tasker_test.the_step('approve'), 'asked again'), 'an operator may retry the step');
select is(tasker_test.states(), 'waiting_for_dependencies: approve=suspended ship=pending', 'the step waits again');
select is(
  (select m.due_at from tasker.timers as m), timestamptz '2026-11-28 12:00:00+00', 'it waits for as long as the first time'
);
select is(tasker_test.signal('approved'), 'delivered approve', 'it takes its signal');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
