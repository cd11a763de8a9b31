begin;
select plan(3);

select tasker_test.make_task();

select throws_ok(
  $$ select tasker.transition_step_state_atomic(tasker_test.the_step('top'), 'pending', 'enqueued') $$,
  'TK409', format('step %s cannot leave pending: its task is pending', tasker_test.the_step('top')),
  'while the task is pending'
);
select lives_ok(
  $$ select tasker_test.move_step(tasker_test.the_step('top'), 'resolved_manually') $$,
  'other transitions do not depend on it'
);

select tasker_test.move_task(tasker_test.the_task(), 'initializing');
select lives_ok(
  $$ select tasker_test.move_step(tasker_test.the_step('left'), 'enqueued') $$,
  'once it has started, its steps may be enqueued'
);

select * from finish();
rollback;
