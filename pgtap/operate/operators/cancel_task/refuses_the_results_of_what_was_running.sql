begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker.cancel_task(tasker_test.the_task());

select tasker_test.remember_rows();
select is(tasker_test.finish('left'), 'cancelled', 'a result is told that the task was cancelled');
select is(tasker_test.fail_for_good('right'), 'cancelled', 'a failure is told so');
select is(
  (select e.answer::text from tasker.extend_leases(array[tasker_test.the_step('left')], array[1]) as e), 'cancelled', 'a renewal of a lease is told so'
);
select is(
  (select r.answer::text from tasker.release_steps(array[tasker_test.the_step('left')], array[1]) as r), 'cancelled', 'a release is told so'
);
select is(tasker.checkpoint_step(tasker_test.the_step('left'), 1, '{}'), 'cancelled', 'a checkpoint is told so');
select is(tasker_test.finish('top'), 'already_complete', 'a step that was complete before is answered as already complete');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
