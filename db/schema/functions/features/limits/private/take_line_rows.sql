create or replace function tasker.take_line_rows(
  p_states     tasker.limit_states[],
  p_handlers   uuid[],
  p_limit      integer,
  p_until      timestamptz,
  p_now        timestamptz,
  p_task_uuid  uuid,
  p_step_no    integer,
  p_settings   tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_share integer := ceil(p_limit::numeric / greatest(cardinality(p_states), 1));
  v_taken tasker.step_queue[];
begin
  -- Within a key, the lanes share the places by their weights. The keys take turns: first one step of each key, then a
  -- second step of each key.
  with lanes (lane, weight, dice) as materialized (
    values
      ('high'::tasker.queue_lane, greatest(p_settings.lane_weight_high, 0.001), -ln(1 - random())::numeric),
      ('normal', greatest(p_settings.lane_weight_normal, 0.001), -ln(1 - random())::numeric),
      ('low', greatest(p_settings.lane_weight_low, 0.001), -ln(1 - random())::numeric)
  ),
  rows as (
    select
      k.place, k.free, q.task_uuid, q.step_no, q.visible_at, l.weight, l.dice,
      row_number() over (partition by k.place, l.lane order by q.visible_at) as lane_turn
      from unnest(p_states) as k
     cross join lateral (
       select s.named_step_uuid
         from tasker.limit_lines as s
        where s.limit_no = k.limit_no
          and s.limit_key = k.limit_key
          and (p_handlers is null or s.named_step_uuid = any (p_handlers))
          and (p_settings.paused_handlers = '{}' or not exists (
            select
              from tasker.limits as l
              join tasker.handler_pauses as h
                on h.namespace = l.namespace
             where l.limit_no = k.limit_no
               and h.named_step_uuid = s.named_step_uuid
            offset 0
          ))
       offset 0
     ) as s
     cross join lanes as l
     cross join lateral (
       select q.task_uuid, q.step_no, q.visible_at
         from tasker.step_queue as q
        where q.limit_no = k.limit_no
          and q.limit_key = k.limit_key
          and q.lane = 'limited'
          and q.named_step_uuid = s.named_step_uuid
          and q.limit_lane = l.lane
          and q.visible_at <= p_now
        order by q.visible_at
        limit case when p_task_uuid is null then least(k.free, v_share) else 0 end
     ) as q
     where k.free > 0
    union all
    select k.place, k.free, p_task_uuid, p_step_no, p_now, 1, 0, 1
      from unnest(p_states) as k
     where k.free > 0
       and p_task_uuid is not null
  ),
  turns as (
    select r.*, row_number() over (partition by r.place order by (r.lane_turn - 1 + r.dice) / r.weight, r.visible_at) as turn
      from rows as r
  ),
  chosen as materialized (
    select t.task_uuid, t.step_no
      from turns as t
     where t.turn <= t.free
     order by t.turn, t.place
     limit p_limit
  ),
  locked as materialized (
    select q.task_uuid, q.step_no
      from chosen as c
     cross join lateral (
       select q.task_uuid, q.step_no
         from tasker.step_queue as q
        where q.task_uuid = c.task_uuid
          and q.step_no = c.step_no
          and q.lane = 'limited'
          and q.visible_at <= p_now
          for update skip locked
     ) as q
  ),
  taken as (
    update tasker.step_queue as q
       set visible_at = p_until,
           lane       = 'running',
           claim_no   = tasker.next_claim_no(q.claim_no)
      from locked as k
     where q.task_uuid = any (array[k.task_uuid])
       and q.step_no = k.step_no
    returning q
  )
  select coalesce(array_agg(t.q), '{}') into v_taken from taken as t;
  return v_taken;
end;
$$;

comment on function tasker.take_line_rows is
$$Takes at most p_limit steps from the lines of keys that the caller holds. Takes from each key at most as many steps as it has free places, and at most its share of p_limit. Locks the steps' queue rows, marks them as running under their next claim number, and hides them until p_until. If p_handlers is null, takes steps of all handlers. With p_task_uuid and p_step_no, takes only this step.$$;
