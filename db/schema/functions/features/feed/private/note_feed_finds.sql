create or replace function tasker.note_feed_finds(
  p_subscription  tasker.subscriptions,
  p_finds         tasker.feed_finds[],
  p_to            timestamptz,
  p_limit         integer,
  p_listed        integer
)
  returns tasker.subscriptions
  language plpgsql
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_found integer              := cardinality(p_finds);
  v_last  tasker.feed_finds;
begin
  if v_found = p_listed then
    s.slice_seconds := greatest(s.slice_seconds / 2, 0.01);
  elsif p_to < 'infinity' and v_found < p_listed / 4 then
    s.slice_seconds := least(s.slice_seconds * 2, 86400);
  elsif p_to = 'infinity' and v_found > 0 then
    v_last := p_finds[v_found];
    s.last_key := row(v_last.created_at, v_last.task_uuid, v_last.step_no, v_last.sort_key);
  end if;
  -- To list a few events and delete the list again would cost more than to search for these events once more.
  if v_found > 2 * p_limit then
    s.list_no := s.list_end;
    s.list_end := tasker.list_feed_events(s.subscription, s.list_end, p_finds);
  end if;
  return s;
end;
$$;

comment on function tasker.note_feed_finds is
$$Returns a subscription after a query that found p_finds, at most p_listed events, in a slice that ends at p_to. Sets the length of the next slice. If the events are the rest of the window, sets the last event of the window. If there are more than twice p_limit events, writes them to tasker.feed_lists for the next reads, and sets the numbers of the written rows.$$;
