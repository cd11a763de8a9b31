create or replace function tasker.describe_subscription(p_subscription tasker.subscriptions)
  returns setof tasker.subscription_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_until timestamptz          := greatest(s.snapshot_at, case when s.until is not null then s.place_at end);
begin
  return query
  select
    s.subscription, s.namespaces, s.templates, s.kinds, s.events, s.to_states, tasker.shown_target(s.target), v_until,
    greatest(extract(epoch from tasker.clock() - v_until), 0)::double precision,
    tasker.subscription_is_behind(s),
    case when s.leased_until > tasker.clock() then s.reader end,
    case when s.leased_until > tasker.clock() then s.leased_until end,
    s.delivered, s.dead, s.failures, s.last_error, s.last_error_at, s.next_attempt_at,
    s.created_at, s.created_by, s.updated_at, s.updated_by;
end;
$$;

comment on function tasker.describe_subscription is
$$Returns a subscription in the form that tasker.list_subscriptions returns.$$;
