begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register_as('halting', '{"on_failure": "halt"}', 'top', 'left top', 'right top', 'bottom left right');
select tasker_test.create_task('halting');
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.finish('right');
select tasker_test.fail_for_good('left');
-- An open task that is blocked: the failed step elsewhere stays failed, and the task halts.
select ok(tasker.rerun_step(tasker_test.the_step('right'), 'wrong'), 'a step of a blocked task runs again');
select is(
  tasker_test.states(), 'blocked_by_failures: top=complete left=error right=pending bottom=pending', 'after the failure of another branch is settled'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker.give_up_task(tasker_test.the_task());
select is(tasker_test.states(), 'error: top=complete left=error right=pending bottom=pending', 'the task has failed');
select ok(tasker.rerun_step(tasker_test.the_step('left'), 'the bank is back', 'ann'), 'the failed step runs again');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=enqueued bottom=pending', 'and so does what was to run'
);
select tasker_test.run('left', 'right', 'bottom');
select is(tasker_test.states(), 'complete: top=complete left=complete right=complete bottom=complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
