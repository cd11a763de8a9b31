create or replace function tasker.gather_parent_results(p_task_uuid uuid, p_step_no integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_parent  record;
  v_bytes   bigint  := 0;
  v_names   text[]  := '{}';
  v_results jsonb[] := '{}';
  v_array   text    := (
    select tasker.array_step(s.task_uuid, s.map_no)
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
       and s.map_no is not null
  );
begin
  -- Results are read one after the other, so that no result beyond the budget is read.
  for v_parent in
    select p.name, p.results, p.step_no, p.expansion is not null and p.results is null as maps
      from tasker.workflow_step_edges as e
     cross join lateral (
       select p.name, p.results, p.state, p.step_no, p.expansion
         from tasker.workflow_steps as p
        where p.task_uuid = e.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     where e.task_uuid = p_task_uuid
       and e.to_step_no = p_step_no
       and p.state in ('complete', 'resolved_manually')
       and p.name is distinct from v_array
  loop
    if v_parent.maps then
      v_parent.results := tasker.composed_result(p_task_uuid, v_parent.step_no, p_bytes - v_bytes);
      if v_parent.results is null then
        return null;
      end if;
    end if;
    v_bytes := v_bytes + coalesce(octet_length(v_parent.results::text), 0);
    if v_bytes > p_bytes then
      return null;
    end if;
    v_names := v_names || v_parent.name;
    v_results := v_results || v_parent.results;
  end loop;

  return (
    select coalesce(jsonb_object_agg(u.name, u.results), '{}')
      from unnest(v_names, v_results) as u (name, results)
  );
end;
$$;

comment on function tasker.gather_parent_results is
$$Returns the results of a step that has many parents, as an object by the names of the parents, or null if the results are larger than p_bytes.$$;
