begin;
select plan(3);

select tasker_test.start_task();

select throws_ok(
  format($$ select tasker.transition_step_state_atomic(%L, 'pending', 'complete') $$, tasker_test.the_step('left')),
  'TK409',
  format('step %s cannot leave pending by CompleteManually: it has never run and its dependencies are not met', tasker_test.the_step('left')),
  'a step whose parent has not settled is refused'
);
select tasker_test.complete_step(tasker_test.the_step('top'));
select tasker_test.complete_step(tasker_test.the_step('left'));
select ok(
  tasker.transition_step_state_atomic(tasker_test.the_step('right'), 'pending', 'complete'),
  'a step whose parents have settled is completed'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
