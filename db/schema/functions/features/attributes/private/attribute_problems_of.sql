create or replace function tasker.attribute_problems_of(p_template jsonb, p_name text, p_attribute jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_path      text  := format('attributes[%s]', to_json(left(p_name, 100)));
  v_attribute jsonb := case when jsonb_typeof(p_attribute) = 'string' then jsonb_build_object('context', p_attribute) else p_attribute end;
  v_type      text;
  v_known     text;
begin
  if p_name !~ '^[a-z][a-z0-9_]{0,39}$' then
    return query select v_path, 'is no name of an attribute', 'A name is a lower-case letter, then at most 39 lower-case letters, digits and underscores.';
  end if;
  if jsonb_typeof(v_attribute) <> 'object' or v_attribute - '{type,context,results}'::text[] <> '{}'
     or coalesce(jsonb_typeof(nullif(v_attribute -> 'type', 'null')), 'string') <> 'string'
     or coalesce(jsonb_typeof(nullif(v_attribute -> 'context', 'null')), 'string') <> 'string'
     or coalesce(jsonb_typeof(nullif(v_attribute -> 'results', 'null')), 'object') <> 'object'
     or jsonb_path_exists(v_attribute, '$.results.* ? (@.type() != "string")') then
    return query
    select v_path, 'is neither a path of the context nor an object of type, context and results',
           'Write "$.customer", or {"type": "number", "context": "$.total", "results": {"price": "$.total"}}.';
    return;
  end if;
  if v_attribute ->> 'context' is null and coalesce(nullif(v_attribute -> 'results', 'null'), '{}') = '{}' then
    return query select v_path, 'has no source', 'Name a path of the context, or steps with a path of their results.';
  end if;
  v_type := coalesce(v_attribute ->> 'type', 'text');
  if v_type not in ('text', 'number', 'time') then
    return query select v_path || '.type', format('"%s" is no type', left(v_type, 40)), 'The types are text, number and time.';
  end if;
  select n.type into v_known from tasker.attributes as n where n.namespace = p_template ->> 'namespace' and n.name = p_name;
  if v_known <> v_type then
    return query
    select v_path || '.type', format('is %s; in the namespace "%s" the attribute is a %s', left(v_type, 40), p_template ->> 'namespace', v_known),
           'All templates and versions of a namespace share the type of an attribute. Choose another name for another type.';
  end if;
  return query
  select
    v_path || '.' || p.field,
    case when p.error is not null then format('"%s" is no path', left(p.path, 100))
         when p.step is not null and s.value is null then format('names the step "%s", which the template does not have', left(p.step, 100))
         else format('names the step "%s", a map, whose result is gathered when it is read', left(p.step, 100)) end,
    case when p.error is not null then p.error || ' For example: $.customer.id.'
         when s.value is null then 'Name a step of this template whose result has the value.'
         else 'Name a step after the map that returns the value.' end
    from (
      select f.*, case when f.path !~ '^\s*((lax|strict)\s+)?\$' then 'A path begins with $.' else tasker.condition_error(f.path) end as error
        from (
          select 'context' as field, null::text as step, v_attribute ->> 'context' as path
           where v_attribute ->> 'context' is not null
          union all
          select format('results[%s]', to_json(left(r.key, 100))), r.key, r.value
            from jsonb_each_text(nullif(v_attribute -> 'results', 'null')) as r
        ) as f
    ) as p
    left join lateral (
      select s.value from jsonb_array_elements(p_template -> 'steps') as s (value) where s.value ->> 'name' = p.step limit 1
    ) as s on true
   where p.error is not null
      or p.step is not null and (s.value is null or coalesce(s.value -> 'for_each', 'null') <> 'null');
end;
$$;

comment on function tasker.attribute_problems_of is
$$Returns the problems of one attribute of a template.$$;
