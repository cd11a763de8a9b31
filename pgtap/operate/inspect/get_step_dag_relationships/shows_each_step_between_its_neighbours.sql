begin;
select plan(4);

select tasker_test.register('order', 'a', 'b a', 'c b', 'd a c', 'alone');
select tasker_test.make_task('order');

create function pg_temp.names(p_steps uuid[])
  returns text
  language sql
as $$
  select string_agg(s.name, ' ' order by u.place)
    from unnest(p_steps) with ordinality as u (step_uuid, place)
    join tasker.workflow_steps as s on s.task_uuid = tasker_test.the_task() and s.workflow_step_uuid = u.step_uuid;
$$;

select results_eq(
  $$
  select r.name, pg_temp.names(r.parent_step_uuids), pg_temp.names(r.child_step_uuids), r.parent_count, r.child_count,
         r.is_root_step, r.is_leaf_step, r.min_depth_from_root, r.dependency_level
    from tasker.get_step_dag_relationships(tasker_test.the_task()) as r
  $$,
  $$
  values
    ('a', null, 'b d', 0, 2, true, false, 0, 0),
    ('b', 'a', 'c', 1, 1, false, false, 1, 1),
    ('c', 'b', 'd', 1, 1, false, false, 2, 2),
    ('d', 'a c', null, 2, 0, false, true, 1, 3),
    ('alone', null, null, 0, 0, true, true, 0, 0)
  $$,
  'each step has its parents, its children, and its shortest and longest distance from a root'
);
select is(
  (select r.parent_step_uuids from tasker.get_step_dag_relationships(tasker_test.the_task()) as r where r.name = 'a'), '{}',
  'a root has an empty array of parents'
);
select throws_ok($$ select tasker.get_step_dag_relationships(null) $$, 'TK404', 'task null does not exist', 'a null task is refused');
select throws_ok(
  $$ select tasker.get_step_dag_relationships('01980000-0000-7000-8000-000000000000') $$,
  'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);

select * from finish();
rollback;
