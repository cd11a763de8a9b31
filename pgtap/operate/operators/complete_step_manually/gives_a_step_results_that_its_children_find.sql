begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');

select ok(
  tasker.complete_step_manually(tasker_test.the_step('top'), '{"amount": 42}', 'by phone', 'ann'), 'complete_step_manually returns true'
);
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=enqueued bottom=pending', 'its children are enqueued'
);
select is(
  (
    select c.parent_results
      from tasker.claim_step(tasker_test.the_step('left'), '00000000-0000-0000-0000-0000000000c1') as c
  ),
  '{"top": {"amount": 42}}', 'its children get the given result'
);
select is(tasker_test.last_entry('top'), 'CompleteManually by ann for by phone', 'the log has the actor and the reason');
select results_eq(
  $$
  select a.event, a.success, a.worker_uuid, a.actor, a.reason, a.results
    from tasker.get_step_audit_history(tasker_test.the_step('top')) as a
   where a.success
  $$,
  $$ values ('CompleteManually', true, null::uuid, 'ann', 'by phone', '{"amount": 42}'::jsonb) $$,
  'the audit has the actor and the reason, and no worker'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
