create or replace function tasker.normalize_added_steps(p_task_uuid uuid, p_steps jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_places   jsonb;
  v_template jsonb;
begin
  if p_steps is null or jsonb_typeof(p_steps) <> 'array' then
    raise exception using
      errcode = 'TK422',
      message = 'the steps to add are not a JSON array',
      hint    = 'Each element is a step as in a template: [{"name": "ship", "dependencies": ["pack"]}].';
  end if;

  if jsonb_path_exists(p_steps, '$[*] ? (exists (@.limit_units) || exists (@.limit_hold) || exists (@.limit_bound) || exists (@.limits))') then
    raise exception using
      errcode = 'TK422',
      message = 'a step that is added has one place of one limit',
      hint    = 'limit_units, limit_hold, limit_bound and limits are for steps of templates: add a step that starts a task of such a template.';
  end if;
  v_places := tasker.step_places(p_steps);
  -- Check the new steps together with the task's steps, as one template. The task's steps come last, so that the place
  -- of a problem is its place in the caller's array.
  v_template := jsonb_build_object('namespace', 'task', 'name', 'task', 'steps', p_steps || (
    select coalesce(jsonb_agg(jsonb_build_object('name', s.name) order by s.step_no), '[]')
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.map_no is null
       and not v_places ? s.name
  ));
  perform tasker.check_task_template(v_template);

  if jsonb_path_exists(p_steps, '$[*].dependencies[*].on ? (@ != "complete")') then
    raise exception using
      errcode = 'TK422',
      message = 'a step that is added to a task cannot wait for a failure',
      hint    = 'Declare the step in the template, or let an added step check results.';
  end if;

  return (
    select coalesce(jsonb_agg(e.value order by e.no), '[]')
      from jsonb_array_elements(tasker.normalize_template(v_template) -> 'steps') with ordinality as e (value, no)
     where e.no <= jsonb_array_length(p_steps)
  );
end;
$$;

comment on function tasker.normalize_added_steps is
$$Returns steps to add to a task in the normal form of templates. The steps may depend on each other and on steps of the task. Raises TK422 as registration does.$$;
