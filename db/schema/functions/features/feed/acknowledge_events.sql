create or replace function tasker.acknowledge_events(p_subscription text, p_reader_uuid uuid, p_place text, p_events integer default 0)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  s       tasker.subscriptions;
  v_parts text[];
  v_at    timestamptz;
begin
  perform tasker.check_text_size('place', p_place, 200);
  v_parts := string_to_array(p_place, ' ');
  -- A single regular expression that also counts the characters would take as long as the rest of the call.
  if (
       p_place ~ '^[0-9]+ 000[0-9a-f]+ [0-9a-f-]+ [0-9]+ [0-9]+$'
       and length(v_parts[1]) <= 18
       and length(v_parts[2]) = 16
       and v_parts[3] like '________-____-____-____-____________'
       and v_parts[3] not like '%-%-%-%-%-%'
       and length(v_parts[4]) <= 9
       and length(v_parts[5]) <= 9
     ) is not true
     or p_events between 0 and 100000 is not true then
    raise exception using
      errcode = 'TK422',
      message = 'events cannot be acknowledged with these arguments',
      detail  = format('place %s, %s events', coalesce('"' || left(p_place, 100) || '"', 'null'), coalesce(p_events::text, 'null')),
      hint    = 'Pass the place of an event that tasker.read_events returned, and how many events were delivered up to it.';
  end if;
  s := tasker.take_subscription(p_subscription, p_reader_uuid);
  -- The time has the form that timestamptz_send writes: microseconds since the year 2000.
  v_at := timestamptz '2000-01-01 00:00:00Z' + ('x' || v_parts[2])::bit(64)::bigint * interval '1 microsecond';
  -- The caller is not the reader, the window has ended, a replay has abandoned the window, or the place was acknowledged
  -- before.
  if s.reader_uuid is distinct from p_reader_uuid
     or s.until is null
     or s.window_no <> v_parts[1]::bigint
     or s.place_at > v_at
     or (s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key)
        >= (v_at, v_parts[3]::uuid, v_parts[4]::integer, v_parts[5]::integer) then
    return false;
  end if;
  update tasker.subscriptions as u
     set place_at        = v_at,
         place_task_uuid = v_parts[3]::uuid,
         place_step_no   = v_parts[4]::integer,
         place_sort_key  = v_parts[5]::integer,
         delivered       = u.delivered + p_events,
         failures        = 0,
         next_attempt_at = null
   where u.subscription = s.subscription;
  return true;
end;
$$;

comment on function tasker.acknowledge_events is
$$Records that the reader has handled the events that read_events returned, up to the event at p_place. These events are not returned again. p_events is the number of these events, and is only added to a count. Returns false, and changes nothing, if the events were acknowledged before or the subscription was replayed since.

Idempotent. Locks the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads the subscription, TK413 or TK422 for a text that is not a place, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.acknowledge_events to tasker_orchestrator, tasker_operator;
