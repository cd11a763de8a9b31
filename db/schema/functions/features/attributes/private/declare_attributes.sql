create or replace function tasker.declare_attributes(p_named_task_uuid uuid, p_template jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_namespace text := p_template ->> 'namespace';
  v_wrong     record;
begin
  insert into tasker.attributes (namespace, name, type)
  select v_namespace, a.key, a.value ->> 'type'
    from jsonb_each(p_template -> 'attributes') as a
   where not exists (select from tasker.attributes as n where n.namespace = v_namespace and n.name = a.key)
   order by a.key
  on conflict (namespace, name) do nothing;

  -- A second statement sees the attributes that another session declared meanwhile.
  select a.key as name, n.type into v_wrong
    from jsonb_each(p_template -> 'attributes') as a
    join tasker.attributes as n
      on n.namespace = v_namespace
     and n.name = a.key
   where n.type <> a.value ->> 'type'
   order by a.key
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('in the namespace "%s" the attribute "%s" is a %s', v_namespace, v_wrong.name, v_wrong.type),
      hint    = 'All templates and versions of a namespace share the type of an attribute. Choose another name for another type.';
  end if;

  insert into tasker.template_attributes (named_task_uuid, step_no, attribute_no, path)
  select p_named_task_uuid, 0, n.attribute_no, (a.value ->> 'context')::jsonpath
    from jsonb_each(p_template -> 'attributes') as a
    join tasker.attributes as n
      on n.namespace = v_namespace
     and n.name = a.key
   where a.value ? 'context'
  union all
  select p_named_task_uuid, s.step_no, n.attribute_no, r.value::jsonpath
    from jsonb_each(p_template -> 'attributes') as a
    join tasker.attributes as n
      on n.namespace = v_namespace
     and n.name = a.key
   cross join jsonb_each_text(a.value -> 'results') as r
    join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = p_named_task_uuid
     and s.step_name = r.key;
  update tasker.named_tasks_named_steps as s
     set effects = s.effects | 128::smallint
   where s.named_task_uuid = p_named_task_uuid
     and exists (
       select from tasker.template_attributes as d where d.named_task_uuid = s.named_task_uuid and d.step_no = s.step_no
     );
end;
$$;

comment on function tasker.declare_attributes is
$$Writes the attributes of a new version of a template, and marks the steps whose results are the source of an attribute. Raises TK422 if another session has declared an attribute with another type meanwhile.$$;
