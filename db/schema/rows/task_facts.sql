create table tasker.task_facts (
  task_uuid         uuid               not null,
  namespace         text               not null,
  transport         text               not null,
  named_task_uuid   uuid               not null,
  has_added_edges   boolean            not null,
  on_failure        text               not null,
  state             tasker.task_state  not null,
  transition_count  integer            not null,
  open_steps        integer            not null,
  active_steps      integer            not null,
  retrying_steps    integer            not null,
  suspended_steps   integer            not null,
  failed_steps      integer            not null,
  updated_at        timestamptz        not null,
  parent_step_uuid  uuid,
  undo              jsonb,

  constraint task_facts_row_type_check
    check (false) no inherit
);

comment on table tasker.task_facts is
  'Row type: the facts of a task that moves of its steps are judged by: where its steps are queued, its policy on failure (tasker.failure_policy), its state and its counters.';

revoke all on table tasker.task_facts from public;
