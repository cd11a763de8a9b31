create or replace function tasker.get_event(p_event_uuid uuid)
  returns setof tasker.broadcast_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_event tasker.broadcasts;
begin
  select b.* into v_event from tasker.broadcasts as b where b.event_uuid = p_event_uuid;
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('event %s does not exist', coalesce(p_event_uuid::text, 'null')),
      hint    = 'Events are kept for the setting "event_hours"; tasker.list_events() shows them.';
  end if;
  perform tasker.check_bound_namespaces(array[v_event.namespace]);
  return next tasker.describe_event(v_event);
end;
$$;

comment on function tasker.get_event is
$$Returns a kept event: its payload, the role that emitted it, whether all waiting steps have received it, and how many steps took it. Raises TK404 if there is no such event or it is no longer kept, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_event
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
