create or replace function tasker.same_step_nos(p_old uuid, p_new uuid)
  returns integer[]
  language plpgsql
  stable
as $$
declare
  v_old   jsonb;
  v_same  integer[];
  v_step  record;
begin
  select jsonb_object_agg(s.step_name, s.step_no)
    into v_old
    from tasker.named_tasks_named_steps as s
   where s.named_task_uuid = p_old;
  select array_fill(0, array[max(s.step_no)])
    into v_same
    from tasker.named_tasks_named_steps as s
   where s.named_task_uuid = p_new;

  for v_step in
    select s.step_no, (v_old ->> s.step_name)::integer as old_no
      from tasker.named_tasks_named_steps as s
     where s.named_task_uuid = p_new
       and v_old ? s.step_name
  loop
    v_same[v_step.step_no] := v_step.old_no;
  end loop;
  return v_same;
end;
$$;

comment on function tasker.same_step_nos is
$$Returns for each step of the template p_new the number of the step of p_old with the same name, or 0 if p_old has no
such step.$$;
