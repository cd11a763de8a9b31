create or replace function tasker.deliver_events(p_event_uuids uuid[], p_limit integer, p_head_start interval, p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_event uuid;
  v_left  integer := p_limit;
begin
  -- Deliver the due events in the order in which they were emitted, until the batch is full.
  for v_event in
    select b.event_uuid
      from unnest(p_event_uuids) as u (event_uuid)
     cross join lateral (
       select b.event_uuid, b.sent_at
         from tasker.broadcasts as b
        where b.event_uuid = u.event_uuid
       offset 0
     ) as b
     order by b.sent_at, b.event_uuid
  loop
    v_left := v_left - tasker.deliver_event(v_event, v_left, p_head_start, p_processor, false);
    exit when v_left <= 0;
  end loop;
end;
$$;

comment on function tasker.deliver_events is
$$Delivers events whose notes the caller holds, to at most p_limit steps. Undelivered events stay due. The rest of an
event whose delivery has begun is due in p_head_start.$$;
