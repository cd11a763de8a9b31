create table tasker.broadcasts (
  event_uuid        uuid         not null  default tasker.uuid_generate_v7(),
  namespace         text         not null,
  name              text         not null,
  key               text         not null,
  payload           jsonb        not null,
  idempotency_key   text,
  sent_by           text         not null,
  sent_at           timestamptz  not null,
  delivered_at      timestamptz,
  passed_task_uuid  uuid         not null  default '00000000-0000-0000-0000-000000000000',
  passed_step_no    integer      not null  default 0,
  reacts            boolean      not null  default false,

  constraint broadcasts_pkey
    primary key (event_uuid),
  constraint broadcasts_idempotency_key_key
    unique (namespace, name, idempotency_key)
) with (fillfactor = 80);

create index broadcasts_kept_idx
  on tasker.broadcasts (namespace, name, key, sent_at, event_uuid);

create index broadcasts_sent_idx
  on tasker.broadcasts (sent_at, event_uuid);

create index broadcasts_due_idx
  on tasker.broadcasts (namespace, name, key, sent_at, event_uuid)
  where delivered_at is null;

comment on index tasker.broadcasts_kept_idx is
  'Serves the beginning of a wait: the events that the wait may take, oldest first.';
comment on index tasker.broadcasts_sent_idx is
  'Serves the list of events, newest first, and their retention.';
comment on index tasker.broadcasts_due_idx is
  'Serves the delivery of events that have not reached all waits yet. Each wait takes the oldest event.';

comment on table tasker.broadcasts is
  'The events that tasker.emit_event has sent to all steps that wait for them. Events are kept for the time in the setting "event_hours", for waits that look back. A note in tasker.timers delivers each event after its transaction has committed. The table is not partitioned.';
comment on column tasker.broadcasts.sent_by is
  'The role that emitted the event. For a request through tasker serve, this is the name of its token.';
comment on column tasker.broadcasts.sent_at is
  'The time when tasker.emit_event was called. Its transaction may have committed much later.';
comment on column tasker.broadcasts.delivered_at is
  'The time when all waiting steps had received the event. Null if some steps have not received it yet.';
comment on column tasker.broadcasts.reacts is
  'Whether a template of the namespace names the event. If so, the trigger broadcasts_react cancels and starts tasks.';
comment on column tasker.broadcasts.passed_task_uuid is
  'The task of the last wait that the delivery has reached, in the order of the waits.';
