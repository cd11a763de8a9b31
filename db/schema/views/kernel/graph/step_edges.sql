create or replace view tasker.step_edges
  with (security_barrier = true)
as
select
  e.task_uuid,
  tasker.step_uuid(e.task_uuid, e.from_step_no) as from_step_uuid,
  tasker.step_uuid(e.task_uuid, e.to_step_no) as to_step_uuid,
  e.name,
  e.condition,
  e.outcome
from tasker.workflow_step_edges as e
where ((select tasker.bound_namespaces()) is null or tasker.may_see_task(e.task_uuid));

comment on view tasker.step_edges is
  'The dependencies between steps, by the UUIDs of the steps. A query should name the task, so that PostgreSQL uses the key. A bound caller sees only its namespaces.';

grant select on table tasker.step_edges to tasker_orchestrator, tasker_operator, tasker_reader;
