create table tasker.open_task_counts (
  state            tasker.task_state  not null,
  tasks            bigint             not null,
  open_steps       bigint             not null,
  active_steps     bigint             not null,
  retrying_steps   bigint             not null,
  suspended_steps  bigint             not null,

  constraint open_task_counts_row_type_check
    check (false) no inherit
);

comment on table tasker.open_task_counts is
  'Row type: open tasks in a state, and their steps, from the tasks'' counters.';

revoke all on table tasker.open_task_counts from public;
