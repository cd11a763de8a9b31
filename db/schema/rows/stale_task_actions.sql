create table tasker.stale_task_actions (
  task_uuid                 uuid               not null,
  namespace_name            text               not null,
  task_name                 text               not null,
  current_state             tasker.task_state  not null,
  minutes_without_progress  numeric            not null,
  threshold_minutes         integer            not null,
  dlq_reason                text               not null,
  action_taken              text               not null,
  dlq_entry_uuid            uuid,

  constraint stale_task_actions_row_type_check
    check (false) no inherit
);

comment on table tasker.stale_task_actions is
  'Row type: a stale task and what was, or would be, done about it.';
comment on column tasker.stale_task_actions.current_state is
  'The state in which it was found.';
comment on column tasker.stale_task_actions.action_taken is
  'would_transition_to_dlq_and_error, or transitioned_to_dlq_and_error: both or neither, in one transaction.';
comment on column tasker.stale_task_actions.dlq_entry_uuid is
  'Its entry in tasker.tasks_dlq; null in a dry run.';

revoke all on table tasker.stale_task_actions from public;
