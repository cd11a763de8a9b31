begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.finish('right');
select tasker_test.fail_for_good('left');
select tasker.give_up_task(tasker_test.the_task());
select ok(tasker.rerun_step(tasker_test.the_step('right'), 'wrong'), 'a step of a failed task runs again');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=enqueued bottom=pending', 'the failed step elsewhere is reset'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
