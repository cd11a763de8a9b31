create or replace function tasker.overdue_before(
  p_overdue        tasker.step_queue[],
  p_now            timestamptz,
  p_depth          bigint,
  p_again_seconds  integer
)
  returns timestamptz
  language plpgsql
  stable
as $$
begin
  if p_overdue is null then
    return null;
  end if;
  -- If there are fewer messages than rows that wait for a message, some messages are lost. Whatever the depth, a row does
  -- not wait ten times as long.
  return case
    when p_depth < (
      select count(*)
        from unnest(p_overdue) as g
       cross join lateral (
         select
           from tasker.step_queue as k
          where k.namespace = g.namespace
            and k.lane = g.lane
            and k.named_step_uuid = g.named_step_uuid
            and k.visible_at <= p_now
          limit least(p_depth, 100000) + 1
       ) as k
    ) then p_now
    else p_now - make_interval(secs => 9 * p_again_seconds)
  end;
end;
$$;

comment on function tasker.overdue_before is
$$Returns the due time up to which published rows are published again, given the first row of each group. Null if no row is published again.$$;
