create or replace view tasker.emitted_events as
select
  '00000000-0000-0000-0000-000000000000'::uuid as event_uuid,
  false::boolean as repeated
where false;

comment on view tasker.emitted_events is
  'Row type: an event that was emitted.';
comment on column tasker.emitted_events.repeated is
  'True if an earlier call used the same idempotency key. The call then changed nothing, and event_uuid is the event of the earlier call.';
