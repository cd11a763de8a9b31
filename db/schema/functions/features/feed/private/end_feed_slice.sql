create or replace function tasker.end_feed_slice(p_subscription tasker.subscriptions, p_to timestamptz)
  returns tasker.subscriptions
  language plpgsql
  immutable
as $$
declare
  s tasker.subscriptions := p_subscription;
begin
  if p_to < 'infinity' then
    s.place_at := p_to;
  else
    s.snapshot := s.until;
    s.snapshot_at := s.until_at;
    s.since := null;
    s.until := null;
    s.until_at := null;
    s.place_at := null;
    s.last_key := null;
  end if;
  s.place_task_uuid := null;
  s.place_step_no := null;
  s.place_sort_key := null;
  return s;
end;
$$;

comment on function tasker.end_feed_slice is
$$Returns a subscription after all events of a slice that ends at p_to. The subscription's place is then p_to, or after the window if p_to is infinity.$$;
