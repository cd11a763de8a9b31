-- A recursive query of PostgreSQL would find the shortest path, or all paths.
begin;
select plan(4);

select tasker_test.register('order', 'a', 'b a', 'c b', 'd a c', 'e', 'f e', 'g d f', 'alone');
select tasker_test.make_task('order');

select results_eq(
  $$
  select s.name, l.dependency_level
    from tasker.calculate_dependency_levels(tasker_test.the_task()) as l
    join tasker.workflow_steps as s on s.task_uuid = tasker_test.the_task() and s.workflow_step_uuid = l.workflow_step_uuid
   order by s.name
  $$,
  $$ values ('a', 0), ('alone', 0), ('b', 1), ('c', 2), ('d', 3), ('e', 0), ('f', 1), ('g', 4) $$,
  'a step has the length of its longest path from a root'
);
select results_eq(
  $$ select tasker.step_no_of(l.workflow_step_uuid) from tasker.calculate_dependency_levels(tasker_test.the_task()) as l $$,
  $$ values (1), (5), (8), (2), (6), (3), (4), (7) $$,
  'the rows are ordered by level, then by step number'
);
select tasker_test.make_task();
select results_eq(
  $$ select l.dependency_level from tasker.calculate_dependency_levels(tasker_test.the_task()) as l $$,
  $$ values (0), (1), (1), (2) $$,
  'a diamond has three levels'
);
select tasker_test.register('nothing', variadic '{}');
select tasker_test.make_task('nothing');
select is_empty($$ select from tasker.calculate_dependency_levels(tasker_test.the_task()) $$, 'a task without steps has no levels');

select * from finish();
rollback;
