create or replace function tasker.first_visible_at(p_namespaces text[], p_running boolean, p_from timestamptz)
  returns timestamptz
  language sql
  stable
begin atomic
  -- Each handler has its own probe. A search from group to group would read the dead rows at the beginning of each
  -- group.
  select min(q.visible_at)
    from unnest(p_namespaces) as n (namespace)
   cross join unnest(case when p_running then '{running}' else '{high,normal,low}' end::tasker.queue_lane[]) as l (lane)
   cross join tasker.named_steps as h
   cross join lateral (
     select q.visible_at
       from tasker.step_queue as q
      where q.namespace = n.namespace
        and q.lane = l.lane
        and q.named_step_uuid = h.named_step_uuid
        and q.visible_at >= p_from
      order by q.visible_at
      limit 1
   ) as q
   where h.name >= '';
end;

comment on function tasker.first_visible_at is
$$Returns the first visible_at that is not before p_from, among running steps if p_running is true, otherwise among the lanes of ready steps.$$;
