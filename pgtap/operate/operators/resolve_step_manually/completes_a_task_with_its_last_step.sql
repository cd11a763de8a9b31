begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top', 'left', 'right');
select tasker_test.claim('bottom');
select tasker_test.fail_for_good('bottom', false);
select is(
  tasker_test.states(), 'waiting_for_retry: top=complete left=complete right=complete bottom=waiting_for_retry',
  'the last step waits for its next attempt'
);

select ok(tasker.resolve_step_manually(tasker_test.the_step('bottom')), 'resolve_step_manually returns true');
select is(
  tasker_test.states(), 'complete: top=complete left=complete right=complete bottom=resolved_manually', 'the task completes'
);
select is_empty('select from tasker.timers where task_uuid = tasker_test.the_task()', 'no timer is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
