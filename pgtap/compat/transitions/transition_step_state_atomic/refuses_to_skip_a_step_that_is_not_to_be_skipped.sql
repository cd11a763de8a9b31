-- Skip says that a step's parents have settled and its join is not satisfied. Otherwise the log would
-- give a reason that is none; whoever wants the step gone cancels it.
begin;
select plan(5);

select tasker_test.start_task();

prepare skip (text) as
  select tasker.transition_step_state_atomic(
    tasker_test.the_step($1), 'pending', 'cancelled', null, '{"event": "Skip"}'
  );

select throws_ok(
  $$ execute skip ('left') $$,
  'TK409',
  format(
    'step %s cannot leave pending by Skip: its parents have not settled, or its join is satisfied',
    tasker_test.the_step('left')
  ),
  'a step whose parent has not settled cannot be skipped'
);

select tasker_test.complete_step(tasker_test.the_step('top'));
select throws_ok(
  $$ execute skip ('left') $$,
  'TK409',
  format(
    'step %s cannot leave pending by Skip: its parents have not settled, or its join is satisfied',
    tasker_test.the_step('left')
  ),
  'a step whose dependencies are met cannot be skipped'
);

select tasker_test.move_step(tasker_test.the_step('left'), 'cancelled');
select throws_ok(
  $$ execute skip ('bottom') $$,
  'TK409',
  format(
    'step %s cannot leave pending by Skip: its parents have not settled, or its join is satisfied',
    tasker_test.the_step('bottom')
  ),
  'a join with a parent that has not settled cannot be skipped'
);

select tasker_test.complete_step(tasker_test.the_step('right'));
select lives_ok($$ execute skip ('bottom') $$, 'a join whose parents have settled without satisfying it is skipped');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
