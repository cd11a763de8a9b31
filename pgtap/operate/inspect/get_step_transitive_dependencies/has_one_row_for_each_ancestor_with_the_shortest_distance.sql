begin;
select plan(4);

select tasker_test.register('order', 'a', 'b a', 'c b', 'd a c', 'e', 'f d e', 'below f', 'alone');
select tasker_test.make_task('order');

select results_eq(
  $$ select d.step_name, d.distance from tasker.get_step_transitive_dependencies(tasker_test.the_step('f')) as d $$,
  $$ values ('d', 1), ('e', 1), ('a', 2), ('c', 2), ('b', 3) $$,
  'the rows are ordered by the shortest distance, then by name'
);
select is_empty($$ select from tasker.get_step_transitive_dependencies(tasker_test.the_step('a')) $$, 'a root has no ancestors');
select is_empty($$ select from tasker.get_step_transitive_dependencies(tasker_test.the_step('alone')) $$, 'a step without edges has no ancestors');
select is(
  (select count(distinct d.task_uuid) from tasker.get_step_transitive_dependencies(tasker_test.the_step('below')) as d), 1::bigint,
  'all rows have the same task'
);

select * from finish();
rollback;
