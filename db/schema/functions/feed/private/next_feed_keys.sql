create or replace function tasker.next_feed_keys(p_subscription tasker.subscriptions, p_limit integer)
  returns setof tasker.feed_keys
  language plpgsql
  stable
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_place tasker.feed_keys     := row(s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key);
begin
  return query
  select k.created_at, k.task_uuid, k.step_no, k.sort_key
    from (
      select l.list_no, l.keys
        from tasker.feed_lists as l
       where l.subscription = s.subscription
         and l.list_no >= s.list_no
         and l.list_no < s.list_end
       order by l.list_no
       limit p_limit / 100 + 2
    ) as l
   cross join lateral unnest(l.keys) with ordinality as k (created_at, task_uuid, step_no, sort_key, no)
   where s.place_task_uuid is null
      or (k.created_at, k.task_uuid, k.step_no, k.sort_key)
         > (v_place.created_at, v_place.task_uuid, v_place.step_no, v_place.sort_key)
   order by l.list_no, k.no
   limit p_limit;
end;
$$;

comment on function tasker.next_feed_keys(tasker.subscriptions, integer) is
$$The next events that were listed and lie behind a subscription's place, at most p_limit, in their order.$$;

revoke all on function tasker.next_feed_keys(tasker.subscriptions, integer) from public;
