create table tasker.emitted_events (
  event_uuid  uuid     not null,
  repeated    boolean  not null,

  constraint emitted_events_row_type_check
    check (false) no inherit
);

comment on table tasker.emitted_events is
  'Row type: an event that was emitted.';
comment on column tasker.emitted_events.repeated is
  'True if its idempotency key is known: the event is the one that was emitted before, and nothing was changed.';

revoke all on table tasker.emitted_events from public;
