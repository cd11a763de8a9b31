begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.fail_for_good('left');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=error right=in_progress bottom=pending', 'one step has failed, and one runs'
);

select ok(tasker.reset_task(tasker_test.the_task()), 'reset_task returns true');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=in_progress bottom=pending', 'the running step continues'
);
select is(tasker_test.finish('right'), 'completed', 'its result is accepted');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
