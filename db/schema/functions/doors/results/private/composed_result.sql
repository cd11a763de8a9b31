create or replace function tasker.composed_result(p_task_uuid uuid, p_step_no integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return tasker.map_results(p_task_uuid, p_step_no, p_bytes);
end;
$$;

comment on function tasker.composed_result is
$$Door: returns the result of a step that keeps no result itself, because its instances have the results. Returns null if the result has more than p_bytes bytes.$$;
