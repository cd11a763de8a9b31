create or replace function tasker.take_queue_rows(
  p_groups  tasker.step_queue[],
  p_limit   integer,
  p_until   timestamptz,
  p_claim   boolean
)
  returns tasker.step_queue[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_dice   bigint      := (random() * 2147483647)::bigint;
  v_lanes  text[]      := array(select distinct g.lane::text from unnest(p_groups) as g);
  v_quotas integer[]   := array[p_limit];
  v_lane   integer;
  v_asked  integer;
  v_peers  record;
  v_more   tasker.step_queue[];
  v_taken  tasker.step_queue[] := '{}';
  v_left   boolean     := false; -- whether some group may have more than it was asked for
begin
  if cardinality(v_lanes) > 1 then
    v_quotas := tasker.lane_quotas(v_lanes, p_limit);
  end if;

  -- First each lane's share, then whatever is there. The namespaces come in turn by chance, within one
  -- the handler goes first whose oldest step has waited longest. Those that have waited equally long are
  -- asked for equal parts: mostly they are children of the same tasks, which are locked and counted once
  -- for all of them.
  for v_peers in
    select r.round, g.lane, array_agg(g) as groups
      from generate_series(1, 2) as r (round)
     cross join unnest(p_groups) as g
     group by r.round, g.lane, g.namespace, g.visible_at, case when r.round = 2 then g.named_step_uuid end
     order by r.round, g.lane, hashtextextended(g.namespace, v_dice), g.visible_at
  loop
    exit when v_peers.round = 2 and not v_left;
    v_lane := array_position(v_lanes, v_peers.lane::text);
    v_asked := case when v_peers.round = 1 then v_quotas[v_lane] else p_limit - cardinality(v_taken) end;

    -- Materialized: as a subquery on the inner side of a loop it would run again for each row of the
    -- outer one, skip what it had locked before, and so lock more than the limit. And not by "=" alone:
    -- a queue that was analyzed while it was empty would be read from end to end.
    with locked as materialized (
      select k.task_uuid, k.step_no
        from unnest(v_peers.groups) with ordinality as g
       cross join lateral (
         select k.task_uuid, k.step_no
           from tasker.step_queue as k
          where k.namespace = g.namespace
            and k.lane = g.lane
            and k.named_step_uuid = g.named_step_uuid
            and k.visible_at <= v_now
          order by k.visible_at
          limit (v_asked + cardinality(v_peers.groups) - g.ordinality) / cardinality(v_peers.groups)
            for update skip locked
       ) as k
    ),
    taken as (
      update tasker.step_queue as q
         set visible_at = p_until,
             lane       = case when p_claim then 'running' else q.lane end,
             claim_no   = q.claim_no + p_claim::integer
        from locked as k
       where q.task_uuid = any (array[k.task_uuid])
         and q.step_no = k.step_no
      returning q
    )
    select coalesce(array_agg(t.q), '{}') into v_more from taken as t;

    v_taken := v_taken || v_more;
    exit when cardinality(v_taken) = p_limit;
    v_quotas[v_lane] := v_quotas[v_lane] - cardinality(v_more);
    v_left := v_left or cardinality(v_more) = v_asked or cardinality(v_peers.groups) > 1 and cardinality(v_more) > 0;
  end loop;
  return v_taken;
end;
$$;

comment on function tasker.take_queue_rows(tasker.step_queue[], integer, timestamptz, boolean) is
$$Takes visible rows of these groups (tasker.queue_groups) from the queue: locks them and hides them until p_until; if p_claim is true, as running under their next claim number. What others have locked is skipped, no lane and no namespace starves.$$;

revoke all on function tasker.take_queue_rows(tasker.step_queue[], integer, timestamptz, boolean) from public;
