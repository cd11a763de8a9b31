begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.remember_rows();
select throws_ok(
  format('select tasker.complete_step_manually(%L, %L)', tasker_test.the_step('bottom'), '{}'), 'TK422',
  format('step %s has never run and its dependencies are not met: completing it needs a reason', tasker_test.the_step('bottom')),
  'a step whose parents have not settled needs a reason'
);
select throws_like(
  format('select tasker.complete_step_manually(%L, %L, %L)', tasker_test.the_step('bottom'), '{}', ' '), 'step % has never run and its dependencies are not met: completing it needs a reason', 'a blank reason is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select ok(tasker.complete_step_manually(tasker_test.the_step('top'), '{}'), 'a step whose parents have settled needs no reason');
select ok(tasker.complete_step_manually(tasker_test.the_step('bottom'), '{}', 'the customer called'), 'a step whose parents have not settled is completed with a reason');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
