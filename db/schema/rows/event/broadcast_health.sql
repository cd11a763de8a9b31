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
  'At most 100,000 are counted.';
comment on column tasker.broadcast_health.undelivered_events is
  'Events that have not come yet to all steps that waited.';
comment on column tasker.broadcast_health.oldest_undelivered_seconds is
  'How long ago the oldest of them was emitted; 0 if there is none.';
comment on column tasker.broadcast_health.busy_receivers is
  'Steps that one of them is tried again for, because another transaction held their task.';
comment on column tasker.broadcast_health.waits is
  'What steps wait for: each alternative that is an event counts; at most 100,000 are counted.';

revoke all on table tasker.broadcast_health from public;
