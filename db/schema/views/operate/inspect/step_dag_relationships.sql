create or replace view tasker.step_dag_relationships
  with (security_barrier = true)
as
select
  t.task_uuid,
  r.workflow_step_uuid,
  r.named_step_uuid,
  r.name,
  r.parent_step_uuids,
  r.child_step_uuids,
  r.parent_count,
  r.child_count,
  r.is_root_step,
  r.is_leaf_step,
  r.min_depth_from_root,
  r.dependency_level
from (
  select t.task_uuid
    from tasker.tasks as t
   where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(t.task_uuid))
) as t
cross join lateral tasker.get_step_dag_relationships(t.task_uuid) as r;

comment on view tasker.step_dag_relationships is
  'The graphs of all tasks. Name the task: the view''s function is called only for the tasks in the query. A bound caller sees its namespaces only.';

grant select on table tasker.step_dag_relationships to tasker_orchestrator, tasker_operator, tasker_reader;
