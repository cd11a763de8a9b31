create table tasker.waits (
  task_uuid        uuid         not null,
  step_no          integer      not null,
  wait_no          integer      not null,
  signal           text,
  event            text,
  event_key        text,
  counts_from      timestamptz,
  namespace        text         not null,
  named_task_uuid  uuid         not null,
  first            boolean      not null,
  waiting_since    timestamptz  not null,
  due_at           timestamptz,
  assignee         text,

  constraint waits_pkey
    primary key (task_uuid, step_no, wait_no),
  constraint waits_row_check
    check (num_nonnulls(signal, event) = 1 and num_nulls(event, event_key, counts_from) in (0, 3))
);

create index waits_inbox_idx
  on tasker.waits (namespace, waiting_since, task_uuid, step_no)
  where first;

create index waits_signal_idx
  on tasker.waits (namespace, signal, waiting_since, task_uuid, step_no)
  where signal is not null;

create index waits_event_idx
  on tasker.waits (namespace, event, event_key, task_uuid, step_no, wait_no)
  where event is not null;

create index waits_assignee_idx
  on tasker.waits (namespace, assignee, waiting_since, task_uuid, step_no)
  where first and assignee is not null;

comment on index tasker.waits_inbox_idx is
  'Serves the inbox of a namespace, with the longest wait first and each step only once.';
comment on index tasker.waits_signal_idx is
  'Serves the inbox by the name of a signal.';
comment on index tasker.waits_event_idx is
  'Serves the delivery of an event, in the order of the steps, and the inbox by the name of an event.';
comment on index tasker.waits_assignee_idx is
  'Serves the inbox of one assignee.';

comment on table tasker.waits is
  'The signals and events that suspended steps wait for: one row for each name of a signal, and for each alternative that is an event. Rows are written and deleted under the task''s lock. The table is not partitioned.';
comment on column tasker.waits.wait_no is
  'The number of the alternative, from 1. If several alternatives name the same signal, this is the first of them.';
comment on column tasker.waits.event_key is
  'The key of the event, as it was read from the context when the wait began. Empty for events without a key.';
comment on column tasker.waits.counts_from is
  'The time from which events end the wait: the beginning of the wait, or an earlier time if the wait looks back.';
comment on column tasker.waits.first is
  'True in one row of each step. Queries that count steps, not signals, read only these rows.';
comment on column tasker.waits.due_at is
  'The time that ends the wait. The timer in tasker.timers ends the wait at this time. Null if only a signal or an event ends it.';
