create or replace function tasker.last_before_instances(p_map tasker.workflow_steps, p_expansion jsonb)
  returns integer
  language plpgsql
  stable
as $$
declare
  v_last integer := (select max(s.step_no) from tasker.workflow_steps as s where s.task_uuid = p_map.task_uuid);
begin
  if v_last + (p_expansion ->> 'expanded')::integer > 65535 then
    raise exception using
      errcode = 'TK422',
      message = format(
        'the %s elements of map "%s" and the %s steps of the new task are more than the 65535 steps that a task may have',
        p_expansion ->> 'expanded', p_map.name, v_last
      ),
      hint    = 'Fork from the map or a step above it.';
  end if;
  return v_last;
end;
$$;

comment on function tasker.last_before_instances is
$$Returns the number of the last step of a map's task. After this step, a fork inserts the instances that the map has in
the old task. Raises TK422 if there would be too many steps.$$;
