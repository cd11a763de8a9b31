create or replace function tasker.child_context(p_parent tasker.tasks, p_step_no integer, p_task jsonb)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_spec    jsonb := p_task -> 'context';
  v_inputs  jsonb := (
    select s.inputs from tasker.workflow_steps as s where s.task_uuid = p_parent.task_uuid and s.step_no = p_step_no
  );
  v_results jsonb;
  v_context jsonb;
begin
  if p_task ? 'input' then
    return p_task -> 'input'; -- a task that a durable function starts
  elsif v_spec is null then
    return p_parent.context;
  end if;
  if jsonb_path_exists(v_spec, '$.step') or jsonb_path_exists(v_spec, '$.*.step') then
    select jsonb_object_agg(p.name, p.results)
      into v_results
      from tasker.step_parents(p_parent.task_uuid, p_parent.named_task_uuid, p_parent.has_added_edges, p_step_no) as e
     cross join lateral (
       select p.name, tasker.edge_result('$', p.results, p.expansion, p.task_uuid, p.step_no) as results
         from tasker.workflow_steps as p
        where p.task_uuid = p_parent.task_uuid
          and p.step_no = e.from_step_no
          and p.state in ('complete', 'resolved_manually')
       offset 0
     ) as p;
  end if;

  if not tasker.is_child_reference(v_spec) then
    select coalesce(jsonb_object_agg(f.key, f.value) filter (where f.value is not null), '{}')
      into v_context
      from (
        select s.key, tasker.child_value(s.value, p_parent.context, v_results, v_inputs) as value
          from jsonb_each(v_spec) as s
      ) as f;
    return v_context;
  end if;
  v_context := tasker.child_value(v_spec, p_parent.context, v_results, v_inputs);
  if jsonb_typeof(v_context) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = format('the context for task "%s" is %s, not an object', p_task ->> 'name', coalesce(jsonb_typeof(v_context), 'nothing')),
      detail  = format('The template takes it from %s.', v_spec),
      hint    = 'Refer to an object, or put the value into one: {"order": "$.order"}.';
  end if;
  return v_context;
end;
$$;

comment on function tasker.child_context is
$$Returns the context of the task that a step starts. If the template names no context, the context is the parent's context. Otherwise it is the object that the template refers to, or an object with a value for each field. A field whose value is not found is left out. Raises TK422 if the template refers to a value that is not an object.$$;
