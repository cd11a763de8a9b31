create or replace function tasker.raise_missed_events(p_subscription tasker.subscriptions)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK410',
    message = format('subscription "%s" has missed events', p_subscription.subscription),
    detail  = format(
      'It has come to %s; later events are gone with their partitions.',
      coalesce(p_subscription.place_at, p_subscription.snapshot_at)
    ),
    hint    = 'Call tasker.replay_events(subscription, since) to go on with what is kept.';
end;
$$;

comment on function tasker.raise_missed_events is
$$Raises TK410 for a subscription whose next events were dropped.$$;
