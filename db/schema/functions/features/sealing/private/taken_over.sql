create or replace function tasker.taken_over(p_forked_from text, p_result jsonb)
  returns boolean
  language plpgsql
  stable
as $$
begin
  -- An operator who moves a step may pass any metadata, so check the form first.
  if p_forked_from !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return false;
  end if;
  return exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_forked_from::uuid)
       and s.step_no = tasker.step_no_of(p_forked_from::uuid)
       and s.effects & 8192 <> 0
       and s.results = p_result
  );
end;
$$;

comment on function tasker.taken_over is
$$Returns true if p_result is the result of the step p_forked_from, and the payloads of that step are encrypted, too.$$;
