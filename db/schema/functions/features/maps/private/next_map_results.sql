create or replace function tasker.next_map_results(p_map tasker.workflow_steps, p_limit integer)
  returns tasker.map_arrays
  language plpgsql
  stable
as $$
declare
  v_array tasker.map_arrays;
begin
  v_array.size := p_map.expansion ->> 'elements';
  select coalesce(jsonb_agg(i.results order by i.step_no), '[]'), max(i.step_no)
    into v_array.elements, v_array.last_no
    from (
      select i.step_no, i.results
        from tasker.added_step_edges as e
       cross join lateral (
         select i.step_no, i.results, i.map_no
           from tasker.workflow_steps as i
          where i.task_uuid = e.task_uuid
            and i.step_no = e.from_step_no
         offset 0
       ) as i
       where e.task_uuid = p_map.task_uuid
         and e.to_step_no = (p_map.expansion ->> 'source')::integer
         and e.from_step_no > coalesce((p_map.expansion ->> 'last_no')::integer, 0)
         and i.map_no = e.to_step_no
       order by e.from_step_no
      offset case when p_map.expansion ? 'last_no' then 0 else (p_map.expansion ->> 'expanded')::integer end
       limit p_limit
    ) as i;
  return v_array;
end;
$$;

comment on function tasker.next_map_results is
$$Returns the next results of the source of p_map, if the source is itself a map: at most p_limit results. Does not read the other results.$$;
