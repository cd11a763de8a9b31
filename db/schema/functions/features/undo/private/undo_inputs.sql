create or replace function tasker.undo_inputs(p_task_uuid uuid, p_undo_no integer, p_inputs jsonb, p_share bigint)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_result jsonb;
begin
  if p_inputs ? 'result_unknown' then
    return p_inputs;
  end if;
  select s.results
    into v_result
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_undo_no;
  return p_inputs || case
    when octet_length(p_inputs::text) + octet_length(v_result::text) > p_share then '{"result_omitted": true}'::jsonb
    else jsonb_build_object('result', v_result)
  end;
end;
$$;

comment on function tasker.undo_inputs is
$$Returns the inputs of a compensation with the result of the step that it undoes; with result_omitted instead if they have more than p_share bytes.$$;
