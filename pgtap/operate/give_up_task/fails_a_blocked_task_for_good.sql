begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.fail_for_good('left');
select tasker_test.finish('right');
select is(
  tasker_test.states(), 'blocked_by_failures: top=complete left=error right=complete bottom=pending', 'a blocked task'
);

select ok(tasker.give_up_task(tasker_test.the_task()), 'is given up');
select is(
  tasker_test.states(), 'error: top=complete left=error right=complete bottom=pending',
  'it has failed; what never began stays pending, for a reset'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
