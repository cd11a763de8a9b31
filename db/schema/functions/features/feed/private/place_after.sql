create or replace function tasker.place_after(p_subscription tasker.subscriptions, p_find tasker.feed_finds)
  returns tasker.subscriptions
  language plpgsql
  immutable
as $$
declare
  s tasker.subscriptions := p_subscription;
begin
  s.place_at := p_find.created_at;
  s.place_task_uuid := p_find.task_uuid;
  s.place_step_no := p_find.step_no;
  s.place_sort_key := p_find.sort_key;
  return s;
end;
$$;

comment on function tasker.place_after is
$$Returns a subscription whose place is after an event of its window.$$;
