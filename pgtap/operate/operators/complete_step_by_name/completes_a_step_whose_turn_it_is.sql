begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.create_task();
select throws_ok(
  $$ select tasker.complete_step_by_name(tasker_test.the_task(), 'bottom', '{}') $$,
  'TK409', 'step "bottom" still waits for other steps', 'a step whose parents have not settled is refused'
);
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'top', '{"by": "ann"}', 'seen', 'ann'), true, 'a root can be completed from the start');
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'top', '{"by": "ann"}'), false, 'a second completion returns false');
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'left', '{}'), true, 'a step can be completed when its parent has settled');
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'right', '{}'), true, 'its sibling can be completed, too');
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'bottom', '42'), true, 'a join can be completed when all its parents have settled');
select is(tasker.get_current_task_state(tasker_test.the_task()), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
