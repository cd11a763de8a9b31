begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task(p_deferred => true);

select is_empty(
  $$ select from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) $$, 'a claim does not start a deferred task'
);
select is(tasker_test.states(), 'pending: top=pending left=pending right=pending bottom=pending', 'the deferred task waits');
select is(tasker.next_due_at('{test}'), null::timestamptz, 'next_due_at is null for workers');
select is(tasker.next_due_at('{test}', true), tasker.clock(), 'next_due_at is now for an orchestrator');
select is(tasker_test.orchestrate(), '0 requests, 0 timers, 1 tasks, 0 lost, 0 results', 'the orchestrator starts the task');
select is(
  (select c.step_uuid from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) as c),
  tasker_test.the_step('top'), 'a claim then gets its first step'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
