create or replace function tasker.map_instances(p_task_uuid uuid, p_map_no integer)
  returns setof tasker.workflow_steps
  language plpgsql
  stable
as $$
begin
  return query
  select i.*
    from tasker.added_step_edges as e
   cross join lateral (
     select i.*
       from tasker.workflow_steps as i
      where i.task_uuid = e.task_uuid
        and i.step_no = e.from_step_no
        and i.map_no = p_map_no
     offset 0
   ) as i
   where e.task_uuid = p_task_uuid
     and e.to_step_no = p_map_no;
end;
$$;

comment on function tasker.map_instances is
$$Returns the instances of a map. Their edges make them parents of the map.$$;
