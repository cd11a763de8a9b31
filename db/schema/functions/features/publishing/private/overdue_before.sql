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
  -- If the broker has fewer messages than there are overdue rows, some messages are lost, and all overdue rows are
  -- published again. Otherwise only rows are published again that were published at least ten times p_again_seconds ago.
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
$$Returns the due time up to which published rows are published again, or null if no row is overdue. p_overdue has the first overdue row of each group.$$;
