create or replace view tasker.task_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  'pending'::tasker.task_state as state,
  false::boolean as complete,
  0::integer as priority,
  0::integer as total_steps,
  0::integer as open_steps,
  0::integer as active_steps,
  0::integer as retrying_steps,
  0::integer as suspended_steps,
  0::integer as failed_steps,
  '-infinity'::timestamptz as requested_at,
  '-infinity'::timestamptz as updated_at,
  null::timestamptz as started_at,
  null::timestamptz as completed_at,
  null::timestamptz as deadline,
  null::uuid as processor_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as correlation_id,
  null::uuid as parent_correlation_id,
  null::text as initiator,
  null::text as source_system,
  null::text as reason,
  '{}'::text[] as tags,
  '{}'::jsonb as headers,
  null::jsonb as context,
  null::uuid as parent_step_uuid,
  0::integer as depth,
  null::jsonb as undo,
  false::boolean as blocked,
  null::timestamptz as erased_at,
  false::boolean as paused
where false;

comment on view tasker.task_details is
  'Row type: a task as lists show it.';
comment on column tasker.task_details.context is
  'The context of the task. Null in lists.';

comment on column tasker.task_details.undo is
  'The progress of undoing the task. Null if the task was never undone. It has the phase (drain while steps in progress end, undo while compensations run, then done), the event that requested the undoing, the final state, the actor, the time of the beginning, and metadata with the reason.';

comment on column tasker.task_details.blocked is
  'Whether the task waits for an operator: its state is blocked_by_failures, and the policy on_failure: fail is not about to undo it.';

comment on column tasker.task_details.erased_at is
  'The time when the data of the task was erased. Null if it was not erased.';

comment on column tasker.task_details.paused is
  'Whether the task is paused (tasker.pause_task): no step of the task starts.';
