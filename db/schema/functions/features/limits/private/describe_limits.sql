create or replace function tasker.describe_limits(p_namespaces text[])
  returns setof tasker.limit_details
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
  return query
  select
    l.namespace, l.name, l.concurrency, l.rate, l.per_seconds, l.burst, q.in_use + (
      select coalesce(sum(h.held_units), 0)
        from tasker.limit_places as h
       where h.limit_no = l.limit_no
         and h.held_units > 0
    ), q.waiting, q.keys,
    coalesce(greatest(extract(epoch from tasker.clock() - q.oldest), 0), 0)::double precision,
    array(select h.handler from tasker.limit_handlers as h where h.limit_no = l.limit_no order by h.handler limit 1000),
    l.updated_at, l.updated_by
  from tasker.limits as l
  cross join lateral (
    select
      count(*) filter (where q.lane = 'running') as in_use,
      count(*) filter (where q.lane = 'limited') as waiting,
      count(distinct q.limit_key) filter (where q.lane in ('running', 'limited')) as keys,
      min(q.visible_at) filter (where q.lane = 'limited') as oldest
      from tasker.step_queue as q
     where q.limit_no = l.limit_no
    offset 0
  ) as q
  where p_namespaces is null or l.namespace = any (p_namespaces)
  order by l.namespace, l.name;
end;
$$;

comment on function tasker.describe_limits is
$$Returns the limits of these namespaces (null: all namespaces) with the numbers of their waiting and running steps.$$;
