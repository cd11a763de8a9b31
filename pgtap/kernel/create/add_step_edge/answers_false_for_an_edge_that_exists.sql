begin;
select plan(3);

select tasker_test.make_task();
select tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right'), 'first', '$.a == 1');
select tasker_test.remember_rows();

select ok(
  not tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right'), 'second', '$.b == 2'),
  'an existing edge returns false'
);
select is_empty('select tasker_test.changed_tables()', 'the existing edge is not changed');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
