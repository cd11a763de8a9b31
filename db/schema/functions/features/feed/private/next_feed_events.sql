create or replace function tasker.next_feed_events(p_subscription tasker.subscriptions, p_limit integer)
  returns tasker.feed_finds[]
  language plpgsql
  stable
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_list  tasker.feed_finds[];
  v_finds tasker.feed_finds[]  := '{}';
  v_read  integer              := 0;
begin
  for v_list in
    select l.finds
      from tasker.feed_lists as l
     where l.subscription = s.subscription
       and l.list_no >= s.list_no
       and l.list_no < s.list_end
     order by l.list_no
     limit p_limit / 100 + 2
  loop
    if v_finds = '{}' and s.place_task_uuid is not null then
      select count(*)
        into v_read
        from unnest(v_list) as f
       where (f.created_at, f.task_uuid, f.step_no, f.sort_key)
             <= (s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key);
    end if;
    v_finds := v_finds || v_list;
    exit when cardinality(v_finds) >= v_read + p_limit;
  end loop;
  return v_finds[v_read + 1 : v_read + p_limit];
end;
$$;

comment on function tasker.next_feed_events is
$$Returns the next events from tasker.feed_lists that come after a subscription's place, at most p_limit, in their order.$$;
