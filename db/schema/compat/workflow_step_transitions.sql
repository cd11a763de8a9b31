create or replace view tasker_compat.workflow_step_transitions as
select
  l.workflow_step_transition_uuid,
  l.workflow_step_uuid,
  l.task_uuid,
  l.to_state::text as to_state,
  l.from_state::text as from_state,
  l.event,
  l.metadata,
  l.transition_metadata,
  l.sort_key,
  l.most_recent,
  l.created_at,
  l.updated_at
from tasker.workflow_step_transitions as l;

comment on view tasker_compat.workflow_step_transitions is
  'History of steps, with the states as text.';
