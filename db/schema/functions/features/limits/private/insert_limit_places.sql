create or replace function tasker.insert_limit_places(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.limit_places (task_uuid, step_no, limit_no, limit_key, units, whole_run)
  select s.task_uuid, s.step_no, l.limit_no, l.limit_key, l.units, coalesce(s.needs ->> 'hold' = 'run', false)
    from unnest(p_moves) as m
   cross join lateral (
     select s.task_uuid, s.step_no, s.limit_no, s.limit_key, s.inputs, k.limit_needs as needs, n.namespace
       from tasker.workflow_steps as s
       join tasker.tasks as t
         on t.task_uuid = s.task_uuid
       join tasker.named_tasks_named_steps as k
         on k.named_task_uuid = t.named_task_uuid
        and k.step_no = coalesce(s.map_no, s.step_no)
       join tasker.limits as n
         on n.limit_no = s.limit_no
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and k.limit_needs ?| '{units,hold,limits}'
     offset 0
   ) as s
   cross join lateral (
     select s.limit_no, s.limit_key, coalesce((s.needs ->> 'units')::integer, 1) as units
     union all
     select
       l.limit_no, tasker.limit_key_in(s.task_uuid, (e.value ->> 'limit_key')::jsonpath, s.inputs),
       coalesce((e.value ->> 'limit_units')::integer, 1)
       from jsonb_array_elements(s.needs -> 'limits') as e (value)
       join tasker.limits as l
         on l.namespace = s.namespace
        and l.name = e.value ->> 'limit'
   ) as l
   where m.to_state = 'enqueued'
  on conflict (task_uuid, step_no, limit_no) do nothing;

  -- A step whose run holds its places does not wait in the line again.
  update tasker.step_queue as q
     set lane       = q.limit_lane,
         limit_no   = null,
         limit_key  = null,
         limit_lane = null
    from unnest(p_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no
     and q.lane = 'limited'
     and m.to_state = 'enqueued'
     and exists (
       select
         from tasker.limit_places as h
        where h.task_uuid = m.task_uuid
          and h.step_no = m.step_no
          and h.held_units > 0
       offset 0
     );
end;
$$;

comment on function tasker.insert_limit_places is
$$Inserts rows for the places that just enqueued steps need in their limits. Puts steps whose run already holds the places back into their ordinary lane.$$;
