create or replace view tasker_compat.tasks as
select
  t.task_uuid,
  t.named_task_uuid,
  t.state::text as state,
  t.state::text as current_state,
  t.complete,
  t.priority,
  t.requested_at,
  t.requested_at as created_at,
  t.updated_at,
  t.started_at,
  t.completed_at,
  (
    select c.claimed_at
      from tasker.finalization_claims as c
     where c.task_uuid = t.task_uuid
       and c.transition_count = t.transition_count
  ) as finalization_claimed_at,
  (
    select c.processor_uuid
      from tasker.finalization_claims as c
     where c.task_uuid = t.task_uuid
       and c.transition_count = t.transition_count
  ) as finalization_claimed_by,
  t.processor_uuid,
  t.correlation_id,
  t.parent_correlation_id,
  encode(t.identity_hash, 'hex') as identity_hash,
  t.initiator,
  t.source_system,
  t.reason,
  t.tags,
  t.context
from tasker.tasks as t;

comment on view tasker_compat.tasks is
  'tasker.tasks with created_at and current_state; states are text, and the hash is hexadecimal.';
