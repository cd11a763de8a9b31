create or replace function tasker.handler_groups(p_namespaces text[], p_handlers uuid[])
  returns setof tasker.step_queue
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  if p_handlers is null then
    return query select g.* from tasker.queue_groups(p_namespaces) as g;
    return;
  end if;

  -- One look for each handler that is wanted: however many others there are, they are not met.
  return query
  select g.*
    from unnest(p_namespaces) as n (namespace)
   cross join unnest('{high,normal,low,running}'::tasker.queue_lane[]) as l (lane)
   cross join unnest(p_handlers) as h (named_step_uuid)
   cross join lateral (
     select q.*
       from tasker.step_queue as q
      where q.namespace = n.namespace
        and q.lane = l.lane
        and q.named_step_uuid = h.named_step_uuid
      order by q.visible_at
      limit 1
   ) as g;
end;
$$;

comment on function tasker.handler_groups(text[], uuid[]) is
$$What tasker.queue_groups returns of these handlers, for the lanes that workers look at; null for all handlers.$$;

revoke all on function tasker.handler_groups(text[], uuid[]) from public;
