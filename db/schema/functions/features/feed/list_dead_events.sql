create or replace function tasker.list_dead_events(p_subscription text, p_limit integer default 100)
  returns setof tasker.dead_events
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  s tasker.subscriptions;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  select o.* into s from tasker.subscriptions as o where o.subscription = p_subscription;
  perform tasker.check_subscription_name(p_subscription, found, s.namespaces);
  if s.subscription is null then
    perform tasker.raise_subscription_not_found(p_subscription);
  end if;
  return query
  select d.*
    from tasker.dead_events as d
   where d.subscription = p_subscription
   order by d.died_at desc, d.event_uuid
   limit p_limit;
end;
$$;

comment on function tasker.list_dead_events is
$$Returns the events of a subscription that were given up, the newest first, each with its last error. Raises TK404 if there is no such subscription, TK422 for a limit out of range, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.list_dead_events to tasker_orchestrator, tasker_operator, tasker_reader;
