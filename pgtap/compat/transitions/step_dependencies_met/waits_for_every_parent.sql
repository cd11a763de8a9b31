begin;
select plan(6);

select tasker_test.start_task();

select ok(tasker.step_dependencies_met(tasker_test.the_step('top')), 'a root waits for no step');
select ok(not tasker.step_dependencies_met(tasker_test.the_step('left')), 'a child waits for its parent');

select tasker_test.complete_step(tasker_test.the_step('top'));
select ok(tasker.step_dependencies_met(tasker_test.the_step('left')), 'a child is met when its parent is complete');

select tasker_test.complete_step(tasker_test.the_step('left'));
select ok(not tasker.step_dependencies_met(tasker_test.the_step('bottom')), 'a join is not met by one parent of two');

select tasker_test.move_step(tasker_test.the_step('right'), 'resolved_manually');
select ok(tasker.step_dependencies_met(tasker_test.the_step('bottom')), 'a join is met by two parents, one of which was resolved by hand');
select ok(tasker.step_dependencies_met(tasker_test.the_step('top')), 'a step that has run is still met');

select * from finish();
rollback;
