create or replace function tasker.list_feed_keys(p_subscription text, p_from bigint, p_keys tasker.feed_keys[])
  returns bigint
  language plpgsql
as $$
begin
  insert into tasker.feed_lists (subscription, list_no, keys)
  select p_subscription, p_from + g.no, p_keys[g.no * 100 + 1 : g.no * 100 + 100]
    from generate_series(0, (cardinality(p_keys) - 1) / 100) as g (no);
  return p_from + (cardinality(p_keys) + 99) / 100;
end;
$$;

comment on function tasker.list_feed_keys(text, bigint, tasker.feed_keys[]) is
$$Writes down events of a window, a hundred in a row, from the row p_from on; returns the number after the last row.$$;

revoke all on function tasker.list_feed_keys(text, bigint, tasker.feed_keys[]) from public;
