create or replace view tasker.stale_task_actions as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace_name,
  ''::text as task_name,
  'pending'::tasker.task_state as current_state,
  0::numeric as minutes_without_progress,
  0::integer as threshold_minutes,
  ''::text as dlq_reason,
  ''::text as action_taken,
  null::uuid as dlq_entry_uuid
where false;

comment on view tasker.stale_task_actions is
  'Row type: a stale task and the action that was, or would be, taken.';
comment on column tasker.stale_task_actions.current_state is
  'The state in which the task was found.';
comment on column tasker.stale_task_actions.action_taken is
  'would_transition_to_dlq_and_error, or transitioned_to_dlq_and_error: both or neither, in one transaction.';
comment on column tasker.stale_task_actions.dlq_entry_uuid is
  'The task''s entry in tasker.tasks_dlq. Null in a dry run.';
