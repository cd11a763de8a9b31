begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.create_task();
select throws_ok(
  $$ select tasker.complete_step_by_name(tasker_test.the_task(), 'bottom', '{}') $$,
  'TK409', 'step "bottom" still waits for other steps', 'its parents have not settled'
);
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'top', '{"by": "ann"}', 'seen', 'ann'), true, 'a root, from the start');
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'top', '{"by": "bob"}'), false, 'once only');
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'left', '{}'), true, 'its parent has settled');
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'right', '{}'), true, 'and that of its brother');
select is(tasker.complete_step_by_name(tasker_test.the_task(), 'bottom', '42'), true, 'the turn of the last one has come');
select is(tasker.get_current_task_state(tasker_test.the_task()), 'complete', 'the task is complete');
select is_empty('select tasker_test.violations()', 'and sound');

select * from finish();
rollback;
