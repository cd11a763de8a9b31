create or replace function tasker.gather_kept(p_task_uuid uuid, p_step_no integer, p_round integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_count integer := 0;
  v_bytes bigint  := 0;
begin
  if p_round is null then
    return null;
  end if;
  select k.kept_no, k.bytes
    into v_count, v_bytes
    from tasker.kept_results as k
   where k.task_uuid = p_task_uuid
     and k.step_no = p_step_no
   order by k.kept_no desc
   limit 1;
  -- The name and the braces of a result have less than 200 bytes.
  return jsonb_build_object(
    'round', p_round,
    'count', coalesce(v_count, 0),
    'results', case when coalesce(v_bytes + 200 * v_count, 0) <= p_bytes then (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'name', k.name, 'occurrence', k.occurrence, 'error', k.error
        )) || case when k.error is null then jsonb_build_object('value', k.value) else '{}' end order by k.kept_no), '[]')
        from tasker.kept_results as k
       where k.task_uuid = p_task_uuid
         and k.step_no = p_step_no
    ) end
  ) || case when p_round > 0 then (
    select jsonb_build_object('state', s.function_state)
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
  ) else '{}' end;
end;
$$;

comment on function tasker.gather_kept is
$$Returns the data of a durable function that a claim delivers: its round, the state with which it continued, the number of its kept results, and the results unless they are larger than p_bytes. Returns null without a query if the step has kept no result.$$;
