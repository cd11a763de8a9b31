create or replace function tasker.edge_result(
  p_condition  jsonpath,
  p_results    jsonb,
  p_expansion  jsonb,
  p_task_uuid  uuid,
  p_step_no    integer
)
  returns jsonb
  language sql
  stable
  parallel safe
begin atomic
  select case
    when p_condition is null or p_results is not null or p_expansion is null then p_results
    else tasker.composed_result(p_task_uuid, p_step_no, tasker.setting_integer('result_bytes'))
  end;
end;

comment on function tasker.edge_result is
$$Returns the value that an edge's condition tests: the results of the parent, or the array of a map. Without a condition it reads nothing. The function is inlined.$$;
