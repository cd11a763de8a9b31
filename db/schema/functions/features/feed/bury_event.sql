create or replace function tasker.bury_event(
  p_subscription  text,
  p_reader_uuid   uuid,
  p_place         text,
  p_event_uuid    uuid,
  p_event         jsonb,
  p_error         text
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  s tasker.subscriptions;
begin
  perform tasker.check_text_size('error', p_error, 10000);
  perform tasker.check_text_size('event', p_event::text, 100000);
  perform tasker.check_depth('event', p_event);
  if p_event_uuid is null or p_event is null or p_error is null then
    raise exception using
      errcode = 'TK422',
      message = 'an event is given up with its UUID, its body and the error',
      detail  = format('event %s, error %s', p_event_uuid, coalesce(left(p_error, 100), 'null')),
      hint    = 'Pass all three.';
  end if;
  s := tasker.take_subscription(p_subscription, p_reader_uuid);
  if not tasker.acknowledge_events(p_subscription, p_reader_uuid, p_place, 0) then
    return false;
  end if;
  insert into tasker.dead_events as d (subscription, event_uuid, event, failures, error, died_at)
  values (p_subscription, p_event_uuid, p_event, s.failures, p_error, tasker.write_clock())
  on conflict (subscription, event_uuid) do update
     set failures = excluded.failures,
         error    = excluded.error,
         died_at  = excluded.died_at;
  delete from tasker.dead_events as d
   where d.subscription = p_subscription
     and d.event_uuid in (
       select o.event_uuid
         from tasker.dead_events as o
        where o.subscription = p_subscription
        order by o.died_at desc
       offset tasker.setting_integer('dead_events')
     );
  update tasker.subscriptions as u
     set dead          = u.dead + 1,
         last_error    = p_error,
         last_error_at = tasker.clock()
   where u.subscription = p_subscription;
  return true;
end;
$$;

comment on function tasker.bury_event is
$$Gives up the event at a place: keeps the event among the dead events, with the error, and acknowledges the events up to this event, so that the delivery of later events continues. Returns false if the event was acknowledged before. Later events of the same step or task are delivered without this event.

Locks the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads the subscription, TK413 or TK422 for a wrong argument, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.bury_event to tasker_orchestrator, tasker_operator;
