create or replace function tasker.publish_steps(
  p_namespace      text,
  p_lane           text,
  p_limit          integer  default 100,
  p_depth          bigint   default null,
  p_again_seconds  integer  default 60
)
  returns setof tasker.published_steps
  language plpgsql
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
  v_now       timestamptz;
  v_lane      tasker.queue_lane;
  v_namespace tasker.task_namespaces;
  v_ready     tasker.step_queue[];
  v_overdue   tasker.step_queue[];
  v_lost      timestamptz; -- a published row is published again if it was due by this time
begin
  p_limit         := coalesce(p_limit, 100);
  p_again_seconds := coalesce(p_again_seconds, 60);
  perform tasker.check_isolation();
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_publishing(p_namespace, p_lane, p_limit, p_depth, p_again_seconds);
  v_lane := p_lane::tasker.queue_lane;

  -- The lock makes a change of the transport wait until these rows are marked. The change then returns them to the queue.
  select n.*
    into v_namespace
    from tasker.task_namespaces as n
   where n.name = p_namespace
     for share;
  if v_namespace.transport <> 'broker' or v_namespace.paused_at is not null then
    return;
  end if;
  perform from tasker.tasks as t where false;
  v_now := tasker.write_clock();
  select
    array_agg(g) filter (where g.lane = v_lane),
    array_agg(g) filter (where g.lane = tasker.published_lane(v_lane) and p_depth is not null)
    into v_ready, v_overdue
    from tasker.queue_groups(array[p_namespace]) as g
   where g.lane in (v_lane, tasker.published_lane(v_lane))
     and g.visible_at <= v_now
     and not exists (select from tasker.handler_pauses as p where p.namespace = g.namespace and p.named_step_uuid = g.named_step_uuid);
  v_lost := tasker.overdue_before(v_overdue, v_now, p_depth, p_again_seconds);
  if v_ready is null and v_lost is null then
    return;
  end if;

  return query
  with locked as materialized (
    select k.task_uuid, k.step_no, k.visible_at, k.named_step_uuid, k.lane
      from unnest(v_overdue || v_ready) as g
     cross join lateral (
       select k.*
         from tasker.step_queue as k
        where k.namespace = g.namespace
          and k.lane = g.lane
          and k.named_step_uuid = g.named_step_uuid
          and k.visible_at <= case when g.lane = v_lane then v_now else v_lost end
        order by k.visible_at
        limit p_limit
          for update skip locked
     ) as k
  ),
  chosen as (
    select l.*
      from locked as l
     order by l.lane desc, l.visible_at, l.task_uuid, l.step_no
     limit p_limit
  ),
  marked as (
    update tasker.step_queue as q
       set lane       = tasker.published_lane(v_lane),
           visible_at = v_now + make_interval(secs => p_again_seconds)
      from chosen as c
     where q.task_uuid = any (array[c.task_uuid])
       and q.step_no = c.step_no
    returning q.task_uuid, q.step_no, c.named_step_uuid, c.lane, c.visible_at
  )
  select tasker.step_uuid(m.task_uuid, m.step_no), m.task_uuid, h.name, t.correlation_id, m.lane <> v_lane
    from marked as m
   cross join lateral (
     select h.name from tasker.named_steps as h where h.named_step_uuid = m.named_step_uuid offset 0
   ) as h
   cross join lateral (
     select t.correlation_id from tasker.tasks as t where t.task_uuid = m.task_uuid offset 0
   ) as t
   order by m.lane desc, m.visible_at, m.task_uuid, m.step_no;
end;
$$;

comment on function tasker.publish_steps is
$$Marks ready steps of a lane (high, normal, low) of a namespace with the transport "broker" as published, and returns them, the longest waiting first. The caller sends a message for each step to its broker. Only tasker.claim_delivered_steps claims these steps. The function returns no row if the namespace is paused or has another transport, and skips steps of paused handlers. Steps that name a limit are not published: claims take them from the limit's line.

p_depth is the number of messages that the broker has in the lane's queue. A step is overdue if it was published at least p_again_seconds ago and is not claimed. If there are more overdue steps than messages, overdue steps are returned again, so that the caller replaces lost messages. After ten times p_again_seconds a step is returned again whatever the depth. If p_depth is null, overdue steps are not searched for.

Locks the namespace for share, then queue rows, and skips locked queue rows. Raises TK404 for an unknown namespace, TK422 for another argument out of range, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.publish_steps to tasker_orchestrator, tasker_operator;
