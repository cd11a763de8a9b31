create or replace function tasker.map_results(p_task_uuid uuid, p_step_no integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_instance record;
  v_bytes    bigint  := 2;
  v_results  jsonb[] := '{}';
begin
  -- Results are read one after the other, so that results beyond the budget are never read.
  for v_instance in
    select coalesce(i.results, 'null') as results
      from tasker.added_step_edges as e
     cross join lateral (
       select i.results, i.map_no
         from tasker.workflow_steps as i
        where i.task_uuid = e.task_uuid
          and i.step_no = e.from_step_no
       offset 0
     ) as i
     where e.task_uuid = p_task_uuid
       and e.to_step_no = p_step_no
       and i.map_no = p_step_no
     order by e.from_step_no
  loop
    v_bytes := v_bytes + octet_length(v_instance.results::text) + 2;
    if v_bytes > p_bytes then
      return null;
    end if;
    v_results := array_append(v_results, v_instance.results);
  end loop;
  return to_jsonb(v_results);
end;
$$;

comment on function tasker.map_results is
$$Returns the results of a map's instances as an array in the order of the elements, null for an element without a result. Returns null if the array is larger than p_bytes. The array is never stored.$$;
