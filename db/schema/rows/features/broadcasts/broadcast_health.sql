create or replace view tasker.broadcast_health as
select
  ''::text as namespace_name,
  0::bigint as kept_events,
  0::bigint as undelivered_events,
  0::double precision as oldest_undelivered_seconds,
  0::bigint as busy_receivers,
  0::bigint as waits
where false;

comment on view tasker.broadcast_health is
  'Row type: the events of a namespace that tasker.emit_event has sent, and the steps that wait for events.';
comment on column tasker.broadcast_health.kept_events is
  'The number of kept events. The count stops at 100,000.';
comment on column tasker.broadcast_health.undelivered_events is
  'The number of kept events that at least one waiting step has not received yet.';
comment on column tasker.broadcast_health.oldest_undelivered_seconds is
  'The seconds since the oldest undelivered event was emitted, 0 if there is none.';
comment on column tasker.broadcast_health.busy_receivers is
  'The number of deliveries that will be repeated, because another transaction held the step''s task.';
comment on column tasker.broadcast_health.waits is
  'The number of waits for events. Each alternative of a step counts as one wait. The count stops at 100,000.';
