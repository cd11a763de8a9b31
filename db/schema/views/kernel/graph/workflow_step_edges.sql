create or replace view tasker.workflow_step_edges as
select
  t.task_uuid,
  e.from_step_no,
  e.to_step_no,
  'provides' as name,
  e.condition,
  e.outcome
from tasker.tasks as t
join tasker.named_task_edges as e
  on e.named_task_uuid = t.named_task_uuid
union all
select
  a.task_uuid,
  a.from_step_no,
  a.to_step_no,
  a.name,
  a.condition,
  null as outcome
from tasker.added_step_edges as a;

comment on view tasker.workflow_step_edges is
  'The dependencies between the steps of a task: the dependencies of its template, which tasks do not copy, and added dependencies. A query should name the task, so that PostgreSQL uses the keys.';
comment on column tasker.workflow_step_edges.condition is
  'The template''s "when": a predicate on the parent''s results. Null means that any success of the parent satisfies the edge.';
comment on column tasker.workflow_step_edges.outcome is
  'The template''s "on": failed or ended. Null waits for a success, as an added edge always does.';
