begin;
select plan(3);

select tasker_test.make_task();

select throws_ok(
  $$ select tasker.transition_step_state_atomic(tasker_test.the_step('top'), 'pending', 'enqueued') $$,
  'TK409', format('step %s cannot leave pending: its task is pending', tasker_test.the_step('top')),
  'a step of a pending task cannot be enqueued'
);
select lives_ok(
  $$ select tasker_test.move_step(tasker_test.the_step('top'), 'resolved_manually') $$,
  'a step of a pending task can be resolved'
);

select tasker_test.move_task(tasker_test.the_task(), 'initializing');
select lives_ok(
  $$ select tasker_test.move_step(tasker_test.the_step('left'), 'enqueued') $$,
  'a step of a task that has started can be enqueued'
);

select * from finish();
rollback;
