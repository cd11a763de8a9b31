create or replace function tasker.list_feed_events(p_subscription text, p_from bigint, p_finds tasker.feed_finds[])
  returns bigint
  language plpgsql
as $$
begin
  insert into tasker.feed_lists (subscription, list_no, last_key, finds)
  select
    p_subscription, p_from + g.no,
    row((l.find).created_at, (l.find).task_uuid, (l.find).step_no, (l.find).sort_key)::tasker.feed_keys,
    p_finds[g.no * 100 + 1 : g.no * 100 + 100]
    from generate_series(0, (cardinality(p_finds) - 1) / 100) as g (no)
   cross join lateral (
     select p_finds[least(g.no * 100 + 100, cardinality(p_finds))] as find
     offset 0
   ) as l;
  return p_from + (cardinality(p_finds) + 99) / 100;
end;
$$;

comment on function tasker.list_feed_events is
$$Writes events of a window to tasker.feed_lists, 100 events in each row, beginning with row number p_from. Returns the number that follows the last row's number.$$;
