create or replace function tasker.describe_event(p_event tasker.broadcasts)
  returns tasker.broadcast_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_detail tasker.broadcast_details;
begin
  v_detail.event_uuid := p_event.event_uuid;
  v_detail.namespace := p_event.namespace;
  v_detail.name := p_event.name;
  v_detail.key := p_event.key;
  v_detail.payload := p_event.payload;
  v_detail.idempotency_key := p_event.idempotency_key;
  v_detail.sent_by := p_event.sent_by;
  v_detail.sent_at := p_event.sent_at;
  v_detail.delivered_at := p_event.delivered_at;
  v_detail.receivers := (select count(*) from tasker.broadcast_receipts as r where r.event_uuid = p_event.event_uuid);
  v_detail.busy_receivers := (select count(*) from tasker.broadcast_retries as r where r.event_uuid = p_event.event_uuid);
  return v_detail;
end;
$$;

comment on function tasker.describe_event is
$$Returns a kept event with the number of steps that took it, and the number of steps to which the delivery is tried again.$$;
