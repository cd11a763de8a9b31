begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.pass('2 hours');
select tasker.fire_due_timers();
select is(
  tasker_test.states(), 'error: top=complete left=error right=error bottom=pending', 'two steps were running at the deadline'
);
select is(tasker_test.finish('left'), 'stale', 'a result after the deadline is stale');

select tasker.reset_task(tasker_test.the_task());
select is(tasker_test.finish('left'), 'stale', 'a result after the reset is stale');
select is(tasker_test.fail_for_good('right'), 'stale', 'a failure after the reset is stale');
select tasker_test.claim('left');
select is(
  (select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('left')], array[1]) as a), 'stale',
  'a result of the old claim is stale while another worker has the step'
);
select is(tasker_test.finish('left'), 'completed', 'the result of that worker is accepted');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
