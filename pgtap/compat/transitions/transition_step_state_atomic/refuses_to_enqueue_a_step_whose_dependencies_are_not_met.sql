begin;
select plan(4);

select tasker_test.start_task();

prepare enqueue (text) as
  select tasker.transition_step_state_atomic(tasker_test.the_step($1), 'pending', 'enqueued');

select throws_ok(
  $$ execute enqueue ('left') $$,
  'TK409',
  format('step %s cannot leave pending by Enqueue: its dependencies are not met', tasker_test.the_step('left')),
  'a step whose parent is not complete is refused'
);

select tasker_test.complete_step(tasker_test.the_step('top'));
select lives_ok($$ execute enqueue ('left') $$, 'a step whose parent is complete is enqueued');

select tasker_test.move_step(tasker_test.the_step('right'), 'cancelled');
select tasker_test.complete_step(tasker_test.the_step('left'));
select throws_ok(
  $$ execute enqueue ('bottom') $$,
  'TK409',
  format('step %s cannot leave pending by Enqueue: its dependencies are not met', tasker_test.the_step('bottom')),
  'a join with a parent that has not settled is refused'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
