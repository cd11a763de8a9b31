begin;
select plan(4);

select tasker_test.register('order', 'a', 'b a', 'c b', 'd a c', 'e', 'f d e', 'below f', 'alone');
select tasker_test.make_task('order');

select results_eq(
  $$ select d.step_name, d.distance from tasker.get_step_transitive_dependencies(tasker_test.the_step('f')) as d $$,
  $$ values ('d', 1), ('e', 1), ('a', 2), ('c', 2), ('b', 3) $$,
  'nearest first, the short cut counts'
);
select is_empty($$ select from tasker.get_step_transitive_dependencies(tasker_test.the_step('a')) $$, 'a root has none');
select is_empty($$ select from tasker.get_step_transitive_dependencies(tasker_test.the_step('alone')) $$, 'nor has a step of its own');
select is(
  (select count(distinct d.task_uuid) from tasker.get_step_transitive_dependencies(tasker_test.the_step('below')) as d), 1::bigint,
  'all of one task'
);

select * from finish();
rollback;
