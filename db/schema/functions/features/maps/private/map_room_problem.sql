create or replace function tasker.map_room_problem(p_map tasker.workflow_steps, p_left integer, p_last integer)
  returns text
  language plpgsql
  stable
as $$
declare
  v_undo integer;
begin
  -- If no step was added to the task since the last count, the task still has room.
  if (p_map.expansion ->> 'others')::integer = p_last - (p_map.expansion ->> 'expanded')::integer then
    return null;
  end if;
  if p_last + p_left > 65535 then
    return format(
      'for_each: %s elements and the %s steps of the task are more than the 65535 steps that a task may have', p_left, p_last
    );
  end if;
  -- A step that can be undone counts twice, because its compensation is a step, too.
  if (select t.undo is not null from tasker.tasks as t where t.task_uuid = p_map.task_uuid) then
    select count(*) + case when p_map.compensate_uuid is null then 0 else p_left end
      into v_undo
      from tasker.workflow_steps as s
     where s.task_uuid = p_map.task_uuid
       and s.compensate_uuid is not null
       and s.for_each is null;
    if p_last + p_left + v_undo > 65535 then
      return format(
        'for_each: %s elements, the %s steps of the task and %s compensations are more than the 65535 steps that a task may have: a step with a compensation counts twice',
        p_left, p_last, v_undo
      );
    end if;
  end if;
  return null;
end;
$$;

comment on function tasker.map_room_problem is
$$Returns the reason why a task whose last step number is p_last has no room for p_left more instances of a map, or null if it has room. An instance with a compensation counts twice.$$;
