create or replace function tasker.map_array(p_map tasker.workflow_steps)
  returns tasker.map_arrays
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
  v_array  tasker.map_arrays;
  v_source record;
  v_limit  integer := tasker.setting_integer('result_bytes');
  v_value  jsonb;
  v_left   integer;
  v_last   integer;
  v_undo   integer;
begin
  if p_map.for_each ? 'step' then
    select p.results, p.expansion is not null as mapped, p.step_no
      into v_source
      from tasker.workflow_steps as p
     where p.task_uuid = p_map.task_uuid
       and p.step_no = (p_map.expansion ->> 'source')::integer;
    v_value := v_source.results;
    if v_value is null and v_source.mapped then
      v_value := tasker.map_results(p_map.task_uuid, v_source.step_no, v_limit);
      if v_value is null then
        v_array.problem := format('the results of map "%s" are larger than %s bytes', p_map.for_each ->> 'step', v_limit);
        return v_array;
      end if;
    elsif v_value is null then
      v_array.problem := format('step "%s" has no result', p_map.for_each ->> 'step');
      return v_array;
    end if;
  else
    v_value := (select t.context from tasker.tasks as t where t.task_uuid = p_map.task_uuid);
  end if;

  v_value := jsonb_path_query_array(v_value, (p_map.for_each ->> 'path')::jsonpath, '{}', true);
  if jsonb_array_length(v_value) <> 1 then
    v_array.problem := format(
      'for_each: %s leads to %s values, not to one array', p_map.for_each ->> 'path', jsonb_array_length(v_value)
    );
    return v_array;
  elsif jsonb_typeof(v_value -> 0) <> 'array' then
    v_array.problem := format('for_each: %s is a JSON %s, not an array', p_map.for_each ->> 'path', jsonb_typeof(v_value -> 0));
    return v_array;
  end if;

  v_left := jsonb_array_length(v_value -> 0) - (p_map.expansion ->> 'expanded')::integer;
  select max(s.step_no) into v_last from tasker.workflow_steps as s where s.task_uuid = p_map.task_uuid;
  if v_last + v_left > 65535 then
    v_array.problem := format(
      'for_each: %s elements and the %s steps of the task are more than the 65535 steps that a task may have', v_left, v_last
    );
    return v_array;
  end if;
  -- What can be undone counts twice.
  if (select t.undo is not null from tasker.tasks as t where t.task_uuid = p_map.task_uuid) then
    select count(*) + case when p_map.compensate_uuid is null then 0 else v_left end
      into v_undo
      from tasker.workflow_steps as s
     where s.task_uuid = p_map.task_uuid
       and s.compensate_uuid is not null
       and s.for_each is null;
    if v_last + v_left + v_undo > 65535 then
      v_array.problem := format(
        'for_each: %s elements, the %s steps of the task and %s compensations are more than the 65535 steps that a task may have: a step with a compensation counts twice',
        v_left, v_last, v_undo
      );
      return v_array;
    end if;
  end if;
  v_array.elements := v_value -> 0;
  return v_array;
end;
$$;

comment on function tasker.map_array(tasker.workflow_steps) is
$$Returns the array that a map, with its expansion, runs over, from its task's context or a parent's result, or the reason why there is none: not one array, no result, more elements, counted twice if they have a compensation, than the task may have steps.$$;

revoke all on function tasker.map_array(tasker.workflow_steps) from public;
