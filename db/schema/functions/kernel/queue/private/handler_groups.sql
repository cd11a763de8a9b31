create or replace function tasker.handler_groups(
  p_namespaces  text[],
  p_handlers    text[],
  p_now         timestamptz,
  p_since       timestamptz  default '-infinity'
)
  returns setof tasker.step_queue
  language sql
  stable
begin atomic
  -- Each requested handler has its own probe, which does not read steps of other handlers. The probe ends at p_now.
  -- Under an old snapshot, a running step is still in the index after its result, with the later time at which its
  -- lease would have ended.
  select q.*
    from unnest(p_handlers) as u (name)
    join tasker.named_steps as h
      on h.name = u.name
   cross join unnest(p_namespaces) as n (namespace)
   cross join unnest('{high,normal,low,running}'::tasker.queue_lane[]) as l (lane)
   cross join lateral (
     select q.*
       from tasker.step_queue as q
      where q.namespace = n.namespace
        and q.lane = l.lane
        and q.named_step_uuid = h.named_step_uuid
        and q.visible_at between p_since and p_now
      order by q.visible_at
      limit 1
   ) as q;
end;

comment on function tasker.handler_groups is
$$Returns the rows of tasker.queue_groups for these handlers and the workers' lanes, but only rows that became visible between p_since and p_now.$$;
