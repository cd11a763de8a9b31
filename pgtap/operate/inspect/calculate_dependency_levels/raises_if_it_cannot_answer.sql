begin;
select plan(4);

select throws_ok(
  $$ select tasker.calculate_dependency_levels('01980000-0000-7000-8000-000000000000') $$,
  'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);
select throws_ok($$ select tasker.calculate_dependency_levels(null) $$, 'TK404', 'task null does not exist', 'a null task is refused');

select tasker_test.make_task();
select throws_ok(
  $$ select tasker.calculate_dependency_levels(tasker_test.the_step('top')) $$,
  'TK404', format('task %s does not exist', tasker_test.the_step('top')), 'the UUID of a step is refused'
);
-- This insert bypasses the check of add_step_edge.
insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no) values (tasker_test.the_task(), 4, 2);
select throws_ok(
  $$ select tasker.calculate_dependency_levels(tasker_test.the_task()) $$,
  'TK409', format('the graph of task %s has a cycle', tasker_test.the_task()), 'a cycle in the graph is refused'
);

select * from finish();
rollback;
