create or replace view tasker.workflow_step_edges as
select
  t.task_uuid,
  e.from_step_no,
  e.to_step_no,
  'provides' as name,
  e.condition
from tasker.tasks as t
join tasker.named_task_edges as e
  on e.named_task_uuid = t.named_task_uuid
union all
select
  a.task_uuid,
  a.from_step_no,
  a.to_step_no,
  a.name,
  a.condition
from tasker.added_step_edges as a;

comment on view tasker.workflow_step_edges is
  'The dependencies between the steps of a task: those of its template, which tasks do not copy, and added ones. Name the task, so that the keys are used.';
comment on column tasker.workflow_step_edges.condition is
  'The template''s "when": a predicate on the parent''s results, null is satisfied by any success.';
