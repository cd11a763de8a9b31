create or replace function tasker.undo_inputs(p_task_uuid uuid, p_undo_no integer, p_inputs jsonb, p_share bigint)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_result jsonb;
begin
  if p_inputs ? 'result_unknown' then
    -- The step was to run again. Its log has the result of its previous run.
    select l.metadata -> 'replaced'
      into v_result
      from tasker.step_log as l
     where l.task_uuid = p_task_uuid
       and l.step_no = p_undo_no
       and l.metadata ? 'replaced'
     order by l.sort_key desc
     limit 1;
    return p_inputs || case
      when v_result is null then '{}'
      when octet_length(p_inputs::text) + octet_length(v_result::text) > p_share then '{"result_omitted": true}'::jsonb
      else jsonb_build_object('replaced_result', v_result)
    end;
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
$$Returns the inputs of a compensation together with the result of the step that it undoes. If both have more than p_share bytes, the inputs have result_omitted instead of the result. A step that was to run again has no result; its compensation gets the step's previous result as replaced_result.$$;
