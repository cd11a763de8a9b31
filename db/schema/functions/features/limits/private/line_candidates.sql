create or replace function tasker.line_candidates(
  p_states    tasker.limit_states[],
  p_handlers  uuid[],
  p_count     integer,
  p_now       timestamptz,
  p_settings  tasker.settings_now
)
  returns setof tasker.step_queue
  language plpgsql
as $$
begin
  return query
  with lanes (lane, weight, dice) as materialized (
    values
      ('high'::tasker.queue_lane, greatest(p_settings.lane_weight_high, 0.001), -ln(1 - random())::numeric),
      ('normal', greatest(p_settings.lane_weight_normal, 0.001), -ln(1 - random())::numeric),
      ('low', greatest(p_settings.lane_weight_low, 0.001), -ln(1 - random())::numeric)
  ),
  rows as (
    select k.place, q.row, l.weight, l.dice, row_number() over (partition by k.place, l.lane order by (q.row).visible_at) as lane_turn
      from unnest(p_states) as k
     cross join lateral (
       select s.named_step_uuid
         from tasker.limit_lines as s
         join tasker.limits as l
           on l.limit_no = s.limit_no
        where s.limit_no = k.limit_no
          and s.limit_key = k.limit_key
          and (p_handlers is null or s.named_step_uuid = any (p_handlers))
          and not tasker.is_paused(l.namespace, s.named_step_uuid, p_settings)
       offset 0
     ) as s
     cross join lanes as l
     cross join lateral (
       select q as row
         from tasker.step_queue as q
        where q.limit_no = k.limit_no
          and q.limit_key = k.limit_key
          and q.lane = 'limited'
          and q.named_step_uuid = s.named_step_uuid
          and q.limit_lane = l.lane
          and q.visible_at <= p_now
        order by q.visible_at
        limit p_count
     ) as q
     where k.free > 0
  ),
  turns as (
    select r.*, row_number() over (partition by r.place order by (r.lane_turn - 1 + r.dice) / r.weight, (r.row).visible_at) as turn
      from rows as r
  )
  select (t.row).* from turns as t order by t.turn, t.place limit p_count;
end;
$$;

comment on function tasker.line_candidates is
$$Returns at most p_count steps that wait in the lines of keys which the caller holds, in the order in which the steps take free places. Within a key, the lanes share the places by their weights. The keys take turns: first one step of each key, then a second step of each key.$$;
