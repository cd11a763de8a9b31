create table tasker.ready_tasks (
  task_uuid          uuid               not null,
  task_name          text               not null,
  priority           integer            not null,
  namespace_name     text               not null,
  ready_steps_count  bigint             not null,
  computed_priority  numeric            not null,
  current_state      tasker.task_state  not null,

  constraint ready_tasks_row_type_check
    check (false) no inherit
);

comment on table tasker.ready_tasks is
  'Row type: a task for an orchestrator.';
comment on column tasker.ready_tasks.ready_steps_count is
  'Steps that may be enqueued now, by their counters; without those already enqueued.';
comment on column tasker.ready_tasks.computed_priority is
  'The current result of tasker.computed_task_priority.';

revoke all on table tasker.ready_tasks from public;
