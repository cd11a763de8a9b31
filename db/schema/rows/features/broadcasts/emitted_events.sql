create or replace view tasker.emitted_events as
select
  '00000000-0000-0000-0000-000000000000'::uuid as event_uuid,
  false::boolean as repeated
where false;

comment on view tasker.emitted_events is
  'Row type: an event that was emitted.';
comment on column tasker.emitted_events.repeated is
  'True if the idempotency key is known. Then the event is the event that was emitted before, and the call changed nothing.';
