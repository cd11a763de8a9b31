-- compat_views: the views
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/compat/tasks.sql
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
  t.finalization_claimed_at,
  t.finalization_claimed_by,
  t.processor_uuid,
  t.correlation_id,
  t.parent_correlation_id,
  t.identity_hash,
  t.initiator,
  t.source_system,
  t.reason,
  t.tags,
  t.context
from tasker.tasks as t;

comment on view tasker_compat.tasks is
  'tasker.tasks with created_at and current_state; states are text.';

revoke all on table tasker_compat.tasks from public;
-- <<<

-- >>> db/schema/compat/workflow_steps.sql
create or replace view tasker_compat.workflow_steps as
select
  s.workflow_step_uuid,
  s.workflow_step_uuid as uuid,
  s.task_uuid,
  s.named_step_uuid,
  s.name,
  s.state::text as state,
  s.state::text as current_state,
  s.state in ('complete', 'resolved_manually') as processed,
  tasker.step_state_is_in_processing_pipeline(s.state::text) as in_process,
  s.retryable,
  s.attempts,
  s.max_attempts,
  s.max_attempts as retry_limit,
  s.backoff_request_seconds,
  s.last_attempted_at,
  s.last_failure_at,
  s.next_retry_at,
  s.processed_at,
  s.inputs,
  s.results,
  s.created_at,
  coalesce(s.processed_at, s.last_failure_at, s.last_attempted_at, s.created_at) as updated_at
from tasker.workflow_steps as s;

comment on view tasker_compat.workflow_steps is
  'tasker.workflow_steps with processed, in_process and retry_limit, which are expressions over the state; states are text.';

revoke all on table tasker_compat.workflow_steps from public;
-- <<<

-- >>> db/schema/compat/workflow_step_edges.sql
create or replace view tasker_compat.workflow_step_edges as
select
  e.task_uuid,
  tasker.step_uuid(e.task_uuid, e.from_step_no) as from_step_uuid,
  tasker.step_uuid(e.task_uuid, e.to_step_no) as to_step_uuid,
  e.name,
  e.condition
from tasker.workflow_step_edges as e;

comment on view tasker_compat.workflow_step_edges is
  'Dependencies by the UUIDs of the steps.';

revoke all on table tasker_compat.workflow_step_edges from public;
-- <<<

-- >>> db/schema/compat/task_transitions.sql
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
  'History of tasks; states are text.';

revoke all on table tasker_compat.task_transitions from public;
-- <<<

-- >>> db/schema/compat/workflow_step_transitions.sql
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
  'History of steps; states are text.';

revoke all on table tasker_compat.workflow_step_transitions from public;
-- <<<

-- >>> db/schema/compat/workflow_step_result_audit.sql
create or replace view tasker_compat.workflow_step_result_audit as
select
  tasker.transition_uuid(a.task_uuid, a.step_no, a.sort_key) as workflow_step_result_audit_uuid,
  tasker.step_uuid(a.task_uuid, a.step_no) as workflow_step_uuid,
  tasker.transition_uuid(a.task_uuid, a.step_no, a.sort_key) as workflow_step_transition_uuid,
  a.task_uuid,
  a.recorded_at,
  a.worker_uuid,
  a.correlation_id,
  a.success,
  a.execution_time_ms,
  a.recorded_at as created_at,
  a.recorded_at as updated_at
from tasker.workflow_step_result_audit as a;

comment on view tasker_compat.workflow_step_result_audit is
  'Recorded results and who recorded them, by the UUIDs of the step and of its transition, which is the identity of the row too.';

revoke all on table tasker_compat.workflow_step_result_audit from public;
-- <<<

-- >>> db/schema/compat/task_namespaces.sql
create or replace view tasker_compat.task_namespaces as
select
  n.task_namespace_uuid,
  n.name,
  n.description,
  n.created_at,
  n.created_at as updated_at
from tasker.task_namespaces as n;

comment on view tasker_compat.task_namespaces is
  'tasker.task_namespaces with updated_at.';

revoke all on table tasker_compat.task_namespaces from public;
-- <<<

-- >>> db/schema/compat/named_tasks.sql
create or replace view tasker_compat.named_tasks as
select
  k.named_task_uuid,
  k.task_namespace_uuid,
  k.task_namespace_uuid as namespace_id,
  k.name,
  k.version,
  k.description,
  k.configuration,
  k.created_at,
  k.created_at as updated_at
from tasker.named_tasks as k;

comment on view tasker_compat.named_tasks is
  'tasker.named_tasks with namespace_id.';

revoke all on table tasker_compat.named_tasks from public;
-- <<<

-- >>> db/schema/compat/named_steps.sql
create or replace view tasker_compat.named_steps as
select
  h.named_step_uuid,
  h.name,
  h.name as system_name,
  h.description,
  h.created_at,
  h.created_at as updated_at
from tasker.named_steps as h;

comment on view tasker_compat.named_steps is
  'tasker.named_steps, whose name is the handler, with system_name.';

revoke all on table tasker_compat.named_steps from public;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001910', 'compat/named_steps 4b46d3381469b98e
compat/named_tasks 05c1f8332f63e5a2
compat/task_namespaces 661785304a4c914c
compat/task_transitions 657dd6f543388e8f
compat/tasks d9b4775324796b49
compat/workflow_step_edges 0b018082d9b899e1
compat/workflow_step_result_audit 0a4f373c5d962864
compat/workflow_step_transitions a0977ef4a021b795
compat/workflow_steps 64dd242cac3ebbc7
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001910';

drop view tasker_compat.named_steps;
drop view tasker_compat.named_tasks;
drop view tasker_compat.task_namespaces;
drop view tasker_compat.workflow_step_result_audit;
drop view tasker_compat.workflow_step_transitions;
drop view tasker_compat.task_transitions;
drop view tasker_compat.workflow_step_edges;
drop view tasker_compat.workflow_steps;
drop view tasker_compat.tasks;

reset role;
