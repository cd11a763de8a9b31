begin;
select plan(9);

select tasker_test.start_task();

prepare parents (text) as
  select s.pending_parents, s.satisfied_parents, s.total_parents
    from tasker.workflow_steps as s
   where s.workflow_step_uuid = tasker_test.the_step($1);

select results_eq($$ execute parents ('bottom') $$, 'values (2, 0, 2)', 'two parents to wait for');

select tasker_test.complete_step(tasker_test.the_step('top'));
select results_eq($$ execute parents ('left') $$, 'values (0, 1, 1)', 'a complete parent satisfies its child');
select results_eq($$ execute parents ('right') $$, 'values (0, 1, 1)', 'each of its children');
select results_eq($$ execute parents ('bottom') $$, 'values (2, 0, 2)', 'but not theirs');

select tasker_test.fail_step(tasker_test.the_step('left'));
select tasker_test.move_step(tasker_test.the_step('left'), 'error');
select results_eq($$ execute parents ('bottom') $$, 'values (2, 0, 2)', 'a failed parent settles nothing');

select tasker_test.move_step(tasker_test.the_step('left'), 'resolved_manually');
select results_eq($$ execute parents ('bottom') $$, 'values (1, 1, 2)', 'until it is resolved by hand');

select tasker_test.move_step(tasker_test.the_step('right'), 'cancelled');
select results_eq(
  $$ execute parents ('bottom') $$,
  'values (0, 1, 2)', 'a cancelled parent settles without satisfying'
);
select ok(not tasker.step_dependencies_met(tasker_test.the_step('bottom')), 'so the child is not to run');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
