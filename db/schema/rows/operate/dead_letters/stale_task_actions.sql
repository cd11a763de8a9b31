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
  'Row type: a stale task, with the action that the call took or, in a dry run, would have taken.';
comment on column tasker.stale_task_actions.current_state is
  'The state of the task when the call read it.';
comment on column tasker.stale_task_actions.action_taken is
  'would_transition_to_dlq_and_error in a dry run, otherwise transitioned_to_dlq_and_error. One transaction writes both the dead-letter entry and the transition to error.';
comment on column tasker.stale_task_actions.dlq_entry_uuid is
  'The task''s entry in tasker.tasks_dlq. Null in a dry run.';
