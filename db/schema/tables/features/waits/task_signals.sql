create table tasker.task_signals (
  task_uuid        uuid         not null,
  signal_no        integer      not null,
  name             text         not null,
  payload          jsonb        not null,
  idempotency_key  text,
  sent_by          text         not null,
  sent_at          timestamptz  not null,
  step_no          integer,
  consumed_at      timestamptz,

  constraint task_signals_pkey
    primary key (task_uuid, signal_no),
  constraint task_signals_idempotency_key_key
    unique (task_uuid, idempotency_key),
  constraint task_signals_signal_no_check
    check (signal_no between 1 and 65535),
  constraint task_signals_consumed_check
    check ((step_no is null) = (consumed_at is null))
) partition by range (task_uuid);

create index task_signals_kept_idx
  on tasker.task_signals (task_uuid, name, signal_no)
  where step_no is null;

comment on index tasker.task_signals_kept_idx is
  'Serves a step that begins to wait: the signals that no step has taken yet.';

comment on table tasker.task_signals is
  'The signals that were sent to a task, numbered in the order in which their senders locked the task. Each signal is taken by one step, at once or when a step waits for it.';
comment on column tasker.task_signals.step_no is
  'The step that took the signal. Null if no step has taken it yet.';
comment on column tasker.task_signals.sent_by is
  'The role that sent the signal. A wait with an assignee accepts or rejects the signal by this role.';
