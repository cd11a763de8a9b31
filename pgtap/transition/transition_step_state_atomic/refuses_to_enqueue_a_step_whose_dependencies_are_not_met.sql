begin;
select plan(4);

select tasker_test.start_task();

prepare enqueue (text) as
  select tasker.transition_step_state_atomic(tasker_test.the_step($1), 'pending', 'enqueued');

select throws_ok(
  $$ execute enqueue ('left') $$,
  'TK409',
  format('step %s cannot leave pending by Enqueue: its dependencies are not met', tasker_test.the_step('left')),
  'its parent is not done'
);

select tasker_test.complete_step(tasker_test.the_step('top'));
select lives_ok($$ execute enqueue ('left') $$, 'now it is');

select tasker_test.move_step(tasker_test.the_step('right'), 'cancelled');
select tasker_test.complete_step(tasker_test.the_step('left'));
select throws_ok(
  $$ execute enqueue ('bottom') $$,
  'TK409',
  format('step %s cannot leave pending by Enqueue: its dependencies are not met', tasker_test.the_step('bottom')),
  'all of its parents have settled, but not all are satisfied'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
