create or replace function tasker.subscribe(
  p_subscription  text,
  p_filter        jsonb        default '{}',
  p_target        jsonb        default null,
  p_since         timestamptz  default null,
  p_actor         text         default null,
  p_reason        text         default null
)
  returns setof tasker.subscription_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz := tasker.clock();
  v_filter   jsonb       := coalesce(p_filter, '{}');
  v_before   tasker.subscriptions;
  s          tasker.subscriptions;
begin
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  if p_subscription ~ '^[a-z][a-z0-9_-]{0,47}$' is not true then
    raise exception using
      errcode = 'TK422',
      message = format('a subscription cannot be named %s', coalesce('"' || left(p_subscription, 100) || '"', 'null')),
      hint    = 'Names are 1 to 48 lower case letters, digits, underscores and hyphens, and begin with a letter.';
  end if;
  perform tasker.check_filter(v_filter);
  s.target := tasker.checked_target(p_target);
  perform tasker.check_instant('time of a replay', p_since);

  s.namespaces := coalesce(tasker.filter_list(v_filter, 'namespaces'), tasker.bound_namespaces());
  perform tasker.check_subscription_namespaces(s.namespaces);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(s.namespaces) as u (namespace);
  s.templates := tasker.filter_list(v_filter, 'templates');
  s.kinds := coalesce(tasker.filter_list(v_filter, 'kinds'), '{step,task}');
  s.events := tasker.filter_list(v_filter, 'events');
  s.to_states := tasker.filter_list(v_filter, 'to_states');
  perform tasker.check_filter_names(s.kinds, s.events, s.to_states);

  -- One session subscribes at a time, so that the count of subscriptions cannot exceed its maximum.
  perform tasker.take_turn('subscriptions');
  select o.* into v_before from tasker.subscriptions as o where o.subscription = p_subscription;
  perform tasker.check_subscription_name(p_subscription, found, v_before.namespaces);
  if v_before.subscription is null and (select count(*) from tasker.subscriptions) >= tasker.setting_integer('max_subscriptions') then
    raise exception using
      errcode = 'TK429',
      message = format('there are %s subscriptions already', tasker.setting_integer('max_subscriptions')),
      hint    = 'Drop one with tasker.unsubscribe, or raise the setting max_subscriptions.';
  end if;

  s.snapshot := tasker.feed_snapshot();
  insert into tasker.subscriptions as u (
    subscription, namespaces, templates, kinds, events, to_states, target, snapshot, snapshot_at, placed_at,
    created_at, created_by, updated_at, updated_by
  )
  values (
    p_subscription, s.namespaces, s.templates, s.kinds, s.events, s.to_states, s.target, s.snapshot, tasker.write_clock(), v_now,
    v_now, tasker.actor_name(p_actor), v_now, tasker.actor_name(p_actor)
  )
  on conflict (subscription) do update
     set namespaces = excluded.namespaces,
         templates  = excluded.templates,
         kinds      = excluded.kinds,
         events     = excluded.events,
         to_states  = excluded.to_states,
         target     = excluded.target,
         list_no    = u.list_end,
         last_key   = null,
         failures   = 0,
         next_attempt_at = null,
         updated_at = excluded.updated_at,
         updated_by = excluded.updated_by
   where (u.namespaces, u.templates, u.kinds, u.events, u.to_states, u.target)
         is distinct from (excluded.namespaces, excluded.templates, excluded.kinds, excluded.events, excluded.to_states, excluded.target);
  -- Delete the lists of found events that the former filter let through.
  delete from tasker.feed_lists as l
   using tasker.subscriptions as u
   where u.subscription = p_subscription
     and l.subscription = u.subscription
     and l.list_no < u.list_no;

  if p_since is not null and v_before.subscription is null then
    return query select d.* from tasker.replay_events(p_subscription, p_since, p_actor, p_reason) as d;
    return;
  end if;
  return query
  select d.*
    from tasker.subscriptions as u
   cross join lateral tasker.describe_subscription(u) as d
   where u.subscription = p_subscription;
end;
$$;

comment on function tasker.subscribe is
$$Creates a subscription to the feed, and returns it. The subscription gets every transition of tasks and steps that happens from now on and passes the filter. The events of transactions that are open now are delivered, too. With p_since a new subscription also gets the events since that time, from the logs.

p_filter has up to five lists: namespaces, templates (names of task templates), kinds (task, step), events (such as Create) and to_states (the states that transitions lead to, such as complete). A list that is null or missing allows all values. A transition must pass each list. To get the ends of tasks, filter by state, because several events lead to such a state: {"kinds": ["task"], "to_states": ["complete", "error", "cancelled", "resolved_manually"]}. If a bound caller gives no namespaces, the filter has the caller's present namespaces. A bound caller begins the name of a subscription with one of its namespaces, such as shop_billing. p_target is null if a program reads with read_events. Otherwise p_target says where tasker relay delivers the events: {"pgmq": {"queue": …}}, {"webhook": {"url": …}} or {"rabbitmq": {"queue": …}}. Requests to a webhook with "own_secret": true, and to each webhook of a bound caller, are signed only with a secret of this subscription. The name of a RabbitMQ queue of a bound caller begins with events-<namespace>-. If the subscription exists, it gets the new filter and target and keeps its place.

Idempotent. Locks the row "subscriptions" of tasker.turns, then the subscription. Raises TK404 for an unknown namespace, TK409 above READ COMMITTED or if another call does not end in time, TK413 or TK422 for a malformed argument, or for an event or a state that no transition has, TK429 if there are already as many subscriptions as the setting max_subscriptions allows, TK403 for a namespace that the caller is not bound to.$$;

grant execute on function tasker.subscribe to tasker_operator;
