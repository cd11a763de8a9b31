create or replace function tasker.is_next_position(p_task_uuid uuid, p_step_no integer, p_position integer)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return p_position = 1 or exists (
    select
      from tasker.kept_results as k
     where k.task_uuid = p_task_uuid
       and k.step_no = p_step_no
       and k.kept_no = p_position - 1
  );
end;
$$;

comment on function tasker.is_next_position is
$$Returns whether the result before this position of a step's function is kept.$$;
