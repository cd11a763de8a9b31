create or replace view tasker.broadcast_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as event_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as key,
  '{}'::jsonb as payload,
  null::text as idempotency_key,
  ''::text as sent_by,
  '-infinity'::timestamptz as sent_at,
  null::timestamptz as delivered_at,
  0::bigint as receivers,
  0::bigint as busy_receivers
where false;

comment on view tasker.broadcast_details is
  'Row type: a kept event and the progress of its delivery.';
comment on column tasker.broadcast_details.delivered_at is
  'The time when all waiting steps had received the event. Null if some steps have not received it yet.';
comment on column tasker.broadcast_details.receivers is
  'The number of steps that have taken the event so far.';
comment on column tasker.broadcast_details.busy_receivers is
  'The number of steps to which the event will be delivered again, because another transaction held their task.';
