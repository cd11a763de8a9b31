begin;
select plan(4);

select tasker_test.make_task();
create temporary table other as select tasker_test.make_task() as task_uuid;
insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no)
select o.task_uuid, 4, 2 from other as o;
select tasker_test.make_task();

select is(
  (select count(*) from tasker.step_dag_relationships as r where r.task_uuid = tasker_test.the_task()), 4::bigint,
  'the view has a row for each step of the task'
);
select results_eq(
  $$ select r.* from tasker.step_dag_relationships as r where r.task_uuid = tasker_test.the_task() order by r.workflow_step_uuid $$,
  $$
  select f.task_uuid, f.workflow_step_uuid, f.named_step_uuid, f.name, f.parent_step_uuids, f.child_step_uuids, f.parent_count,
         f.child_count, f.is_root_step, f.is_leaf_step, f.min_depth_from_root, f.dependency_level
    from tasker.get_step_dag_relationships(tasker_test.the_task()) as f
  $$,
  'the view has the columns and rows of the function'
);
-- Another task has a cycle, which would raise TK409 if the view read it.
select lives_ok(
  $$ select r.* from tasker.step_dag_relationships as r where r.task_uuid = tasker_test.the_task() $$, 'a query of one task does not read the others'
);
select throws_like(
  $$ select r.* from tasker.step_dag_relationships as r where r.task_uuid = (select o.task_uuid from other as o) $$, 'the graph of task % has a cycle', 'a query of the task with the cycle fails'
);

select * from finish();
rollback;
