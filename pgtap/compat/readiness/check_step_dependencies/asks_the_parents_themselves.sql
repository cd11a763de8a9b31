begin;
select plan(7);

select tasker_test.start_task();
select ok(tasker.check_step_dependencies(tasker_test.the_step('top')), 'a root depends on nothing');
select ok(not tasker.check_step_dependencies(tasker_test.the_step('left')), 'a child waits for its parent');
select tasker_test.complete_step(tasker_test.the_step('top'));
select ok(tasker.check_step_dependencies(tasker_test.the_step('left')), 'a child is met when its parent is complete');
select tasker_test.complete_step(tasker_test.the_step('left'));
select ok(not tasker.check_step_dependencies(tasker_test.the_step('bottom')), 'one parent of two is not enough');
update tasker.workflow_steps as s set pending_parents = 0, satisfied_parents = 2
 where s.task_uuid = tasker_test.the_task() and s.name = 'bottom';
select ok(not tasker.check_step_dependencies(tasker_test.the_step('bottom')), 'the parents'' states count, not the counters');
select throws_ok(
  $$ select tasker.check_step_dependencies(tasker.step_uuid(tasker_test.the_task(), 9)) $$,
  'TK404', format('step %s does not exist', tasker.step_uuid(tasker_test.the_task(), 9)), 'an unknown step is refused'
);
select throws_ok($$ select tasker.check_step_dependencies(null) $$, 'TK404', 'step null does not exist', 'a null step is refused');

select * from finish();
rollback;
