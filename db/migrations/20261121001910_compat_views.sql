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
  ceil(s.backoff_request_seconds)::integer as backoff_request_seconds,
  s.last_attempted_at,
  s.last_failure_at,
  s.next_retry_at,
  s.processed_at,
  s.inputs,
  s.results,
  s.checkpoint,
  s.created_at,
  coalesce(s.processed_at, s.last_failure_at, s.last_attempted_at, s.created_at) as updated_at
from tasker.workflow_steps as s;

comment on view tasker_compat.workflow_steps is
  'tasker.workflow_steps with processed, in_process and retry_limit, which are expressions over the state; states are text.';
-- <<<

-- >>> db/schema/compat/workflow_step_edges.sql
create or replace view tasker_compat.workflow_step_edges as
select
  tasker.transition_uuid(e.task_uuid, e.from_step_no, -e.to_step_no) as workflow_step_edge_uuid,
  e.task_uuid,
  tasker.step_uuid(e.task_uuid, e.from_step_no) as from_step_uuid,
  tasker.step_uuid(e.task_uuid, e.to_step_no) as to_step_uuid,
  e.name,
  e.condition,
  t.requested_at as created_at,
  t.requested_at as updated_at
from tasker.workflow_step_edges as e
join tasker.tasks as t
  on t.task_uuid = e.task_uuid;

comment on view tasker_compat.workflow_step_edges is
  'Dependencies by the UUIDs of the steps. The UUID of an edge is derived from its steps, and its time is that of the task.';
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
  'History of tasks, with the states as text.';
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
  'History of steps, with the states as text.';
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
  'Recorded results and who recorded them, by the UUIDs of the step and of its transition. The UUID of the transition is also the identity of the row.';
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
  k.identity_strategy,
  k.created_at,
  k.created_at as updated_at
from tasker.named_tasks as k;

comment on view tasker_compat.named_tasks is
  'tasker.named_tasks with namespace_id.';
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
-- <<<

-- >>> db/schema/compat/named_tasks_named_steps.sql
create or replace view tasker_compat.named_tasks_named_steps as
select
  tasker.transition_uuid(s.named_task_uuid, s.step_no, 0) as ntns_uuid,
  s.named_task_uuid,
  s.named_step_uuid,
  s.step_name,
  s.retryable as default_retryable,
  s.max_attempts as default_max_attempts,
  k.created_at,
  k.created_at as updated_at
from tasker.named_tasks_named_steps as s
join tasker.named_tasks as k
  on k.named_task_uuid = s.named_task_uuid;

comment on view tasker_compat.named_tasks_named_steps is
  'The steps of templates. ntns_uuid is derived from the template and the number of the step.';
-- <<<

-- >>> db/schema/compat/tasks_dlq.sql
create or replace view tasker_compat.tasks_dlq as
select
  d.dlq_entry_uuid,
  d.task_uuid,
  d.original_state::text as original_state,
  d.dlq_reason,
  d.dlq_timestamp,
  d.resolution_status,
  d.resolution_timestamp,
  d.resolution_notes,
  d.resolved_by,
  d.task_snapshot,
  d.metadata,
  d.dlq_timestamp as created_at,
  coalesce(d.resolution_timestamp, d.dlq_timestamp) as updated_at
from tasker.tasks_dlq as d;

comment on view tasker_compat.tasks_dlq is
  'tasker.tasks_dlq with created_at and updated_at; states are text.';
-- <<<

-- >>> db/schema/compat/v_dlq_dashboard.sql
create or replace view tasker_compat.v_dlq_dashboard as
select
  d.dlq_reason,
  d.total_entries,
  d.pending,
  d.manually_resolved,
  d.permanently_failed as permanent_failures,
  d.cancelled,
  d.oldest_entry,
  d.newest_entry,
  d.avg_resolution_minutes as avg_resolution_time_minutes
from tasker.get_dlq_dashboard() as d;

comment on view tasker_compat.v_dlq_dashboard is
  'The rows of tasker.get_dlq_dashboard() with permanent_failures and avg_resolution_time_minutes, which counts ended investigations only.';
-- <<<

-- >>> db/schema/compat/v_dlq_investigation_queue.sql
create or replace view tasker_compat.v_dlq_investigation_queue as
select
  d.dlq_entry_uuid,
  d.task_uuid,
  d.original_state::text as original_state,
  d.dlq_reason,
  d.dlq_timestamp,
  d.minutes_in_dlq,
  d.namespace_name,
  d.task_name,
  t.state::text as current_state,
  round(extract(epoch from tasker.clock() - t.updated_at) / 60)::integer as time_in_state_minutes,
  d.priority_score
from tasker.get_dlq_investigation_queue(10000) as d
left join tasker.tasks as t
  on t.task_uuid = d.task_uuid
order by d.priority_score desc, d.dlq_entry_uuid;

comment on view tasker_compat.v_dlq_investigation_queue is
  'The first 10,000 rows of tasker.get_dlq_investigation_queue() with the present state of the task, null if its partition was dropped.';
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001910', 'compat/named_steps 1f4d34b0f157f8ef
compat/named_tasks 595f58cec6c51abd
compat/named_tasks_named_steps d47353ee836bbbee
compat/task_namespaces fecc559f43ab2890
compat/task_transitions 0d3f806066db8fd5
compat/tasks a1eb26d92f2f9e52
compat/tasks_dlq 8f950fe082bc6856
compat/v_dlq_dashboard 7de6e5773dab9a37
compat/v_dlq_investigation_queue 4e0f37c098b36582
compat/workflow_step_edges 9b21f1771e248378
compat/workflow_step_result_audit ca6d6eb16a2872c1
compat/workflow_step_transitions b2f8fdea1786757e
compat/workflow_steps d5d27c82bedb58e8
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001910';

drop view tasker_compat.v_dlq_investigation_queue;
drop view tasker_compat.v_dlq_dashboard;
drop view tasker_compat.tasks_dlq;
drop view tasker_compat.named_tasks_named_steps;
drop view tasker_compat.named_steps;
drop view tasker_compat.named_tasks;
drop view tasker_compat.task_namespaces;
drop view tasker_compat.workflow_step_result_audit;
drop view tasker_compat.workflow_step_transitions;
drop view tasker_compat.task_transitions;
drop view tasker_compat.workflow_step_edges;
drop view tasker_compat.workflow_steps;
drop view tasker_compat.tasks;

select tasker.note_objects();

reset role;
