-- A wait that ends is a continuation, not a start.
begin;
select plan(6);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('halts', '[
  {"name": "charge", "retry": {"max_attempts": 1}},
  {"name": "approve", "await": {"signal": "approved"}},
  {"name": "next", "dependencies": ["approve"], "await": {"signal": "approved"}},
  {"name": "ship", "dependencies": ["approve"]}
]', '{"on_failure": "halt"}');
select tasker_test.claim('charge');
select tasker_test.fail_for_good('charge');

select is(
  tasker_test.states(), 'waiting_for_dependencies: charge=error approve=suspended next=pending ship=pending',
  'the task waits for the second branch after the first has failed'
);
select is(tasker_test.signal('approved'), 'delivered approve', 'the signal is delivered');
select is(
  tasker_test.states(), 'blocked_by_failures: charge=error approve=complete next=pending ship=pending',
  'the wait ends, its children neither wait nor run, and the task is blocked'
);
select is(tasker_test.signal('approved'), 'kept', 'a signal to a blocked task is kept');
select tasker.resolve_step_manually(tasker_test.the_step('charge'));
select is(
  tasker_test.states(), 'steps_in_process: charge=resolved_manually approve=complete next=complete ship=enqueued',
  'the steps continue after an operator has resolved the failure'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
