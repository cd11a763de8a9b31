create or replace function tasker.subscription_is_behind(p_subscription tasker.subscriptions)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select
      from tasker.missed_events as m
     where m.subscription = p_subscription.subscription
       and m.dropped_at >= p_subscription.placed_at
  ) or pg_snapshot_xmin(p_subscription.snapshot) > pg_snapshot_xmax(pg_current_snapshot());
end;
$$;

comment on function tasker.subscription_is_behind is
$$Returns whether events that a subscription has not delivered yet are lost. Either their partition was dropped, or the subscription's place is from another server, whose dump was restored here.$$;
