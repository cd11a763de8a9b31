create or replace function tasker.fork_step_no(p_named_task_uuid uuid, p_name text)
  returns integer
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_no integer;
begin
  if btrim(coalesce(p_name, '')) = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the step is missing',
      hint    = 'Name the step from which on the new task runs again.';
  end if;
  select s.step_no
    into v_no
    from tasker.named_tasks_named_steps as s
   where s.named_task_uuid = p_named_task_uuid
     and s.step_name = p_name;
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('the template has no step "%s"', left(p_name, 100)),
      hint    = coalesce(
        format('Did you mean "%s"?', tasker.nearest_name(p_name, array(
          select s.step_name
            from tasker.named_tasks_named_steps as s
           where s.named_task_uuid = p_named_task_uuid
           order by s.step_no
           limit 1000
        ))),
        'Name a step of the version that the new task runs; of a map, the map itself.'
      );
  end if;
  return v_no;
end;
$$;

comment on function tasker.fork_step_no is
$$Returns the number of a template's step by its name. Raises TK422 without a name, and TK404 if there is no such step.$$;
