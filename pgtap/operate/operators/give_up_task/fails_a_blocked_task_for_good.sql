begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.fail_for_good('left');
select tasker_test.finish('right');
select is(
  tasker_test.states(), 'blocked_by_failures: top=complete left=error right=complete bottom=pending', 'the task is blocked'
);

select ok(tasker.give_up_task(tasker_test.the_task()), 'give_up_task returns true');
select is(
  tasker_test.states(), 'error: top=complete left=error right=complete bottom=pending',
  'the task has failed, and steps that never started stay pending'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
