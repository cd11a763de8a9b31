create or replace function tasker.array_step(p_task_uuid uuid, p_map_no integer)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select m.for_each ->> 'step'
      from tasker.workflow_steps as m
     where m.task_uuid = p_task_uuid
       and m.step_no = p_map_no
  );
end;
$$;

comment on function tasker.array_step is
$$Returns the name of the step whose result a map runs over, or null if the map runs over the context. An instance has its element of that result, so a claim does not send the whole result to each instance.$$;
