create or replace function tasker.forget_feed_lists(p_subscription tasker.subscriptions)
  returns bigint
  language plpgsql
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_no    bigint               := s.list_no;
  v_place tasker.feed_keys     := row(s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key);
begin
  while v_no < s.list_end and s.place_task_uuid is not null loop
    delete from tasker.feed_lists as l
     where l.subscription = s.subscription
       and l.list_no = v_no
       and l.last_key <= v_place;
    exit when not found;
    v_no := v_no + 1;
  end loop;
  return v_no;
end;
$$;

comment on function tasker.forget_feed_lists is
$$Deletes the rows of tasker.feed_lists whose events lie before or at a subscription's place. Returns the number of the first remaining row, or list_end if no row remains.$$;
