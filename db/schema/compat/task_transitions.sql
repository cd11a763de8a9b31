create or replace view tasker_compat.task_transitions as
select
  l.task_transition_uuid,
  l.task_uuid,
  l.to_state::text as to_state,
  l.from_state::text as from_state,
  l.event,
  l.processor_uuid,
  l.metadata,
  l.transition_metadata,
  l.sort_key,
  l.most_recent,
  l.created_at,
  l.updated_at
from tasker.task_transitions as l;

comment on view tasker_compat.task_transitions is
  'History of tasks, with the states as text.';
