create or replace function tasker.get_broadcast_health()
  returns setof tasker.broadcast_health
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select
    n.name,
    (select count(*) from (select from tasker.broadcasts as b where b.namespace = n.name limit 100000) as b),
    u.events,
    greatest(0, extract(epoch from tasker.clock() - u.oldest))::double precision,
    u.busy,
    (select count(*) from (select from tasker.waits as w where w.namespace = n.name and w.event is not null limit 100000) as w)
  from tasker.task_namespaces as n
  cross join lateral (
    select count(*) as events, min(b.sent_at) as oldest, coalesce(sum(r.steps), 0)::bigint as busy
      from tasker.broadcasts as b
     cross join lateral (
       select count(*) as steps
         from tasker.broadcast_retries as r
        where r.event_uuid = b.event_uuid
     ) as r
     where b.namespace = n.name
       and b.delivered_at is null
  ) as u
  where v_bound is null
     or n.name = any (v_bound)
  order by n.name;
end;
$$;

comment on function tasker.get_broadcast_health is
$$Returns a row for each namespace: how many events are kept, how many kept events are undelivered (a waiting step has not received them yet), and how old the oldest undelivered event is. Also returns how many deliveries to a step are tried again because the step's task was locked, and how many waits for events there are. A bound caller sees its namespaces only.

Reads only indexes. Counts at most 100,000 kept events and 100,000 waits of a namespace.$$;

grant execute on function tasker.get_broadcast_health to tasker_orchestrator, tasker_operator, tasker_reader;
