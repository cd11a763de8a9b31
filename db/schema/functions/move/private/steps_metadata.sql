create or replace function tasker.steps_metadata(p_task_uuid uuid, p_step_nos integer[])
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_step_nos <> '{}' then jsonb_build_object(
    'count', cardinality(p_step_nos),
    'steps', array(select tasker.step_uuid(p_task_uuid, u.step_no) from unnest(p_step_nos[:100]) as u (step_no))
  ) else '{}' end;
end;

comment on function tasker.steps_metadata(uuid, integer[]) is
$$Steps as a row of the log names them: how many, and the UUIDs of the first hundred.$$;

revoke all on function tasker.steps_metadata(uuid, integer[]) from public;
