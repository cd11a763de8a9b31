create table tasker.broadcast_details (
  event_uuid       uuid         not null,
  namespace        text         not null,
  name             text         not null,
  key              text         not null,
  payload          jsonb        not null,
  idempotency_key  text,
  sent_by          text         not null,
  sent_at          timestamptz  not null,
  delivered_at     timestamptz,
  receivers        bigint       not null,
  busy_receivers   bigint       not null,

  constraint broadcast_details_row_type_check
    check (false) no inherit
);

comment on table tasker.broadcast_details is
  'Row type: an event that is kept, and how far its delivery has come.';
comment on column tasker.broadcast_details.delivered_at is
  'When it had come to all steps that waited; null: not yet.';
comment on column tasker.broadcast_details.receivers is
  'How many steps have taken it so far.';
comment on column tasker.broadcast_details.busy_receivers is
  'How many steps are tried again, because another transaction held their task.';

revoke all on table tasker.broadcast_details from public;
