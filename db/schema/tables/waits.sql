create table tasker.waits (
  task_uuid        uuid         not null,
  step_no          integer      not null,
  signal           text         not null,
  namespace        text         not null,
  named_task_uuid  uuid         not null,
  first            boolean      not null,
  waiting_since    timestamptz  not null,
  due_at           timestamptz,
  assignee         text,

  constraint waits_pkey
    primary key (task_uuid, step_no, signal)
);

create index waits_inbox_idx
  on tasker.waits (namespace, waiting_since, task_uuid, step_no)
  where first;

create index waits_signal_idx
  on tasker.waits (namespace, signal, waiting_since, task_uuid, step_no);

create index waits_assignee_idx
  on tasker.waits (namespace, assignee, waiting_since, task_uuid, step_no)
  where first and assignee is not null;

comment on index tasker.waits_inbox_idx is
  'Serves the inbox of a namespace, longest waiting first: each step once.';
comment on index tasker.waits_signal_idx is
  'Serves the inbox by the name of a signal.';
comment on index tasker.waits_assignee_idx is
  'Serves the inbox of one assignee.';

comment on table tasker.waits is
  'The signals that suspended steps wait for: one row for each step and name. Written and deleted under the task''s lock. Not partitioned.';
comment on column tasker.waits.first is
  'True in one row of each step: what counts steps, not signals, reads these.';
comment on column tasker.waits.due_at is
  'When a time ends the wait; its timer in tasker.timers ends it. Null: only a signal does.';

revoke all on table tasker.waits from public;
