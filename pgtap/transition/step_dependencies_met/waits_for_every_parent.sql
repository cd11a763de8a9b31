begin;
select plan(6);

select tasker_test.start_task();

select ok(tasker.step_dependencies_met(tasker_test.the_step('top')), 'a root waits for nobody');
select ok(not tasker.step_dependencies_met(tasker_test.the_step('left')), 'a child waits for its parent');

select tasker_test.complete_step(tasker_test.the_step('top'));
select ok(tasker.step_dependencies_met(tasker_test.the_step('left')), 'until that is complete');

select tasker_test.complete_step(tasker_test.the_step('left'));
select ok(not tasker.step_dependencies_met(tasker_test.the_step('bottom')), 'one parent of two is not enough');

select tasker_test.move_step(tasker_test.the_step('right'), 'resolved_manually');
select ok(tasker.step_dependencies_met(tasker_test.the_step('bottom')), 'both are, one of them resolved by hand');
select ok(tasker.step_dependencies_met(tasker_test.the_step('top')), 'and what has run still has its dependencies met');

select * from finish();
rollback;
