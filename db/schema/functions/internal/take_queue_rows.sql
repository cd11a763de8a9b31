create or replace function tasker.take_queue_rows(
  p_groups  tasker.step_queue[],
  p_limit   integer,
  p_until   timestamptz,
  p_claim   boolean
)
  returns setof tasker.step_queue
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
  v_lanes  text[];
  v_quotas integer[];
  v_left   integer := p_limit;
  v_no     integer;
  v_group  record;
  v_taken  bigint;
begin
  select array_agg(distinct g.lane::text) into v_lanes from unnest(p_groups) as g;
  if v_lanes is null or p_limit = 0 then
    return;
  end if;
  v_quotas := case when cardinality(v_lanes) = 1 then array[p_limit] else tasker.lane_quotas(v_lanes, p_limit) end;

  -- First each lane's share, then whatever is there. The namespaces come in turn by chance, within one
  -- the handler goes first whose oldest step has waited longest.
  for v_group in
    select g.*, r.round
      from generate_series(1, 2) as r (round)
     cross join unnest(p_groups) as g
      join (select u.namespace, random() as turn from unnest(p_groups) as u group by u.namespace) as n
        on n.namespace = g.namespace
     order by r.round, g.lane, n.turn, g.visible_at
  loop
    v_no := array_position(v_lanes, v_group.lane::text);
    continue when v_group.round = 1 and v_quotas[v_no] = 0;

    -- Materialized: as a subquery on the inner side of a loop it would run again for each row of the
    -- outer one, skip what it had locked before, and so lock more than the limit. And not by "=" alone:
    -- a queue that was analyzed while it was empty would be read from end to end.
    return query
    with locked as materialized (
      select k.task_uuid, k.step_no
        from tasker.step_queue as k
       where k.namespace = v_group.namespace
         and k.lane = v_group.lane
         and k.named_step_uuid = v_group.named_step_uuid
         and k.visible_at <= v_now
       order by k.visible_at
       limit case when v_group.round = 1 then least(v_left, v_quotas[v_no]) else v_left end
         for update skip locked
    )
    update tasker.step_queue as q
       set visible_at = p_until,
           lane       = case when p_claim then 'running' else q.lane end,
           claim_no   = q.claim_no + p_claim::integer
      from locked as k
     where q.task_uuid = any (array[k.task_uuid])
       and q.step_no = k.step_no
    returning q.*;

    get diagnostics v_taken = row_count;
    v_left := v_left - v_taken;
    v_quotas[v_no] := v_quotas[v_no] - v_taken;
    exit when v_left = 0;
  end loop;
end;
$$;

comment on function tasker.take_queue_rows(tasker.step_queue[], integer, timestamptz, boolean) is
$$Takes visible rows of these groups (tasker.queue_groups) from the queue: locks them and hides them until p_until; if p_claim is true, as running under their next claim number. What others have locked is skipped, no lane and no namespace starves.$$;

revoke all on function tasker.take_queue_rows(tasker.step_queue[], integer, timestamptz, boolean) from public;
