create or replace function tasker.feed_slice_end(p_subscription tasker.subscriptions, p_from timestamptz)
  returns timestamptz
  language plpgsql
  stable
as $$
begin
  return case
    when p_subscription.until_at - greatest(p_from, p_subscription.snapshot_at) <= p_subscription.slice_seconds * interval '1 second'
      then 'infinity'
    when p_from < p_subscription.snapshot_at then p_subscription.snapshot_at
    else p_from + p_subscription.slice_seconds * interval '1 second'
  end;
end;
$$;

comment on function tasker.feed_slice_end is
$$Returns the end of the slice of a subscription's window that begins at p_from. The end is infinity if the slice is the whole rest of the window.$$;
