create or replace function tasker.take_queue_rows(
  p_groups    tasker.step_queue[],
  p_limit     integer,
  p_until     timestamptz,
  p_claim     boolean,
  p_settings  tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_dice   bigint    := (random() * 2147483647)::bigint;
  v_lanes  text[]    := '{}';
  v_group  tasker.step_queue;
  v_best   tasker.step_queue;
  v_quotas integer[] := array[p_limit];
  v_lane   integer;
  v_asked  integer;
  v_peers  record;
  v_more   tasker.step_queue[];
  v_taken  tasker.step_queue[] := '{}';
  v_left   boolean   := false; -- whether a group may have more rows than were taken from it
begin
  if cardinality(p_groups) = 0 then
    return '{}';
  elsif cardinality(p_groups) = 1 then
    return tasker.take_group_rows(p_groups, p_limit, p_until, p_claim);
  end if;

  foreach v_group in array p_groups loop
    if v_group.lane::text <> all (v_lanes) then
      v_lanes := v_lanes || v_group.lane::text;
    end if;
  end loop;
  if cardinality(v_lanes) > 1 then
    v_quotas := tasker.lane_quotas(v_lanes, p_limit, p_settings);
  end if;

  -- If only one row is wanted, it usually comes from the first group.
  if p_limit = 1 then
    foreach v_group in array p_groups loop
      if v_quotas[array_position(v_lanes, v_group.lane::text)] = 1 and (
           v_best.namespace is null
           or (hashtextextended(v_group.namespace, v_dice), v_group.visible_at) < (hashtextextended(v_best.namespace, v_dice), v_best.visible_at)
         ) then
        v_best := v_group;
      end if;
    end loop;
    v_taken := tasker.take_group_rows(array[v_best], 1, p_until, p_claim);
    if cardinality(v_taken) = 1 then
      return v_taken;
    end if;
  end if;

  -- First take the share of each lane, then any rows. Namespaces take turns at random. Within a namespace, the handler
  -- whose oldest step has waited longest goes first. Handlers that have waited equally long get equal shares. Their
  -- steps are mostly children of the same tasks, which are then locked and counted once for all of these steps.
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
    v_more := tasker.take_group_rows(v_peers.groups, v_asked, p_until, p_claim);
    v_taken := v_taken || v_more;
    exit when cardinality(v_taken) = p_limit;
    v_quotas[v_lane] := v_quotas[v_lane] - cardinality(v_more);
    v_left := v_left or cardinality(v_more) = v_asked or cardinality(v_peers.groups) > 1 and cardinality(v_more) > 0;
  end loop;
  return v_taken;
end;
$$;

comment on function tasker.take_queue_rows is
$$Takes visible rows of these groups (tasker.queue_groups) from the queue. Locks the rows and hides them until p_until. If p_claim is true, hides them as running under their next claim number. Skips rows that other transactions hold. No lane and no namespace starves.$$;
