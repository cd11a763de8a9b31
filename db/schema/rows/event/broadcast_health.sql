create table tasker.broadcast_health (
  namespace_name              text              not null,
  kept_events                 bigint            not null,
  undelivered_events          bigint            not null,
  oldest_undelivered_seconds  double precision  not null,
  busy_receivers              bigint            not null,
  waits                       bigint            not null,

  constraint broadcast_health_row_type_check
    check (false) no inherit
);

comment on table tasker.broadcast_health is
  'Row type: the events of a namespace that tasker.emit_event has sent, and the steps that wait for some.';
comment on column tasker.broadcast_health.kept_events is
  'Events that are kept; at most 100,000 are counted.';
comment on column tasker.broadcast_health.undelivered_events is
  'Kept events that some step that waits has not got yet.';
comment on column tasker.broadcast_health.oldest_undelivered_seconds is
  'How long ago the oldest undelivered event was emitted; 0 if there is none.';
comment on column tasker.broadcast_health.busy_receivers is
  'Deliveries of undelivered events that are tried again, because another transaction held the step''s task.';
comment on column tasker.broadcast_health.waits is
  'Events that steps wait for, each alternative of a step on its own; at most 100,000 are counted.';

revoke all on table tasker.broadcast_health from public;
