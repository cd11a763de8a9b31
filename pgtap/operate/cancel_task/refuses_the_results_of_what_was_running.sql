begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker.cancel_task(tasker_test.the_task());

select tasker_test.remember_rows();
select is(tasker_test.finish('left'), 'cancelled', 'a result');
select is(tasker_test.fail_for_good('right'), 'cancelled', 'a failure');
select is(
  (select e.answer from tasker.extend_leases(array[tasker_test.the_step('left')], array[1]) as e), 'cancelled', 'a renewal'
);
select is(
  (select r.answer from tasker.release_steps(array[tasker_test.the_step('left')], array[1]) as r), 'cancelled', 'handing back'
);
select is(tasker.checkpoint_step(tasker_test.the_step('left'), 1, '{}'), 'cancelled', 'a checkpoint');
select is(tasker_test.finish('top'), 'already_complete', 'what was done before was done');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
