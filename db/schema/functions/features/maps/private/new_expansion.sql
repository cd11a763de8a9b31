create or replace function tasker.new_expansion(p_map tasker.workflow_steps)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select jsonb_build_object(
        'expanded', 0,
        'parents', coalesce(jsonb_agg(e.from_step_no order by e.from_step_no), '[]'),
        'satisfied', p_map.satisfied_parents,
        'source', min(e.from_step_no) filter (where p.name = p_map.for_each ->> 'step')
      )
      -- Keep the map's own join, because the map waits for its instances with the join "settled" until it begins again.
      || case when p_map.join_mode <> 'all' then jsonb_build_object('join', p_map.join_mode) else '{}' end
      from tasker.workflow_step_edges as e
     cross join lateral (
       select p.name
         from tasker.workflow_steps as p
        where p.task_uuid = e.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     where e.task_uuid = p_map.task_uuid
       and e.to_step_no = p_map.step_no
  );
end;
$$;

comment on function tasker.new_expansion is
$$Returns the state of a map that has no instances yet: its own parents, how many of the parents satisfy the map, and the parent whose result has the array.$$;
