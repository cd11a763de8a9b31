begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.fail_for_good('left');
select tasker_test.finish('right');

select ok(tasker.resolve_task_manually(tasker_test.the_task()), 'resolve_task_manually returns true');
select is(
  tasker_test.states(), 'resolved_manually: top=complete left=error right=complete bottom=cancelled',
  'open steps are cancelled, and settled steps keep their state'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
