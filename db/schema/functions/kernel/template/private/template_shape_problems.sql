create or replace function tasker.template_shape_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_template is null or jsonb_typeof(p_template) <> 'object' then
    return query select '', 'a template must be an object', null::text;
    return;
  end if;
  -- Check the size first, because parsing a huge template would take long.
  if pg_column_size(p_template) > 67108864 then
    return query select '', format('a template has at most 67108864 bytes, not %s', pg_column_size(p_template)), null::text;
    return;
  end if;
  if jsonb_typeof(p_template -> 'steps') = 'array' and jsonb_array_length(p_template -> 'steps') > 65535 then
    return query
    select 'steps', tasker.template_value_problem(f, p_template -> 'steps'), f.description
      from tasker.template_fields as f
     where f.object = 'template'
       and f.field = 'steps';
    return;
  end if;

  return query
  with steps (place, path, value) as materialized (
    select array[11, e.no], format('steps[%s]', e.no - 1), e.value
      from jsonb_array_elements(
        case when jsonb_typeof(p_template -> 'steps') = 'array' then p_template -> 'steps' end
      ) with ordinality as e (value, no)
  ),
  dependencies (place, path, value) as materialized (
    select s.place || array[4, e.no], format('%s.dependencies[%s]', s.path, e.no - 1), e.value
      from steps as s
     cross join jsonb_array_elements(
       case when jsonb_typeof(s.value -> 'dependencies') = 'array' then s.value -> 'dependencies' end
     ) with ordinality as e (value, no)
  ),
  limits (place, path, value) as materialized (
    select s.place || array[26, e.no], format('%s.limits[%s]', s.path, e.no - 1), e.value
      from steps as s
     cross join jsonb_array_elements(
       case when jsonb_typeof(s.value -> 'limits') = 'array' then s.value -> 'limits' end
     ) with ordinality as e (value, no)
  ),
  alternatives (object, place, path, value) as materialized (
    select
      'await',
      s.place || array[10, e.no],
      s.path || '.await' || case when jsonb_typeof(s.value -> 'await') = 'array' then format('[%s]', e.no - 1) else '' end,
      e.value
      from steps as s
     cross join jsonb_array_elements(
       case jsonb_typeof(s.value -> 'await')
         when 'array' then s.value -> 'await'
         when 'object' then jsonb_build_array(s.value -> 'await')
       end
     ) with ordinality as e (value, no)
    union all
    select
      f.field, array[f.place, e.no],
      f.field || case when jsonb_typeof(p_template -> f.field) = 'array' then format('[%s]', e.no - 1) else '' end, e.value
      from (values ('start_on', 9), ('cancel_on', 10)) as f (field, place)
     cross join jsonb_array_elements(
       case jsonb_typeof(p_template -> f.field)
         when 'array' then p_template -> f.field
         when 'object' then jsonb_build_array(p_template -> f.field)
       end
     ) with ordinality as e (value, no)
  ),
  objects (object, place, path, value) as (
    select 'template', '{}'::bigint[], '', p_template
    union all
    select 'lifecycle', array[7], 'lifecycle', p_template -> 'lifecycle'
    union all
    select 'runs', array[14], 'runs', p_template -> 'runs'
    union all
    select 'step', s.place, s.path, s.value from steps as s
    union all
    select 'retry', s.place || 6::bigint, s.path || '.retry', s.value -> 'retry' from steps as s
    union all
    select 'dependency', d.place, d.path, d.value from dependencies as d
    union all
    select 'limits', l.place, l.path, l.value from limits as l
    union all
    select a.object, a.place, a.path, a.value from alternatives as a
    union all
    select 'task', s.place || 14::bigint, s.path || '.task', s.value -> 'task' from steps as s
    union all
    select 'for_each', s.place || 15::bigint, s.path || '.for_each', s.value -> 'for_each' from steps as s
  ),
  proper as materialized (
    select o.* from objects as o where jsonb_typeof(o.value) = 'object'
  ),
  found (place, path, problem, hint, object, unknown) as (
    select
      s.place, s.path, 'must be an object', null, null, null
    from steps as s
    where jsonb_typeof(s.value) <> 'object'
    union all
    select
      d.place, d.path, 'must be the name of a step or an object', 'For example "reserve", or {"step": "reserve", "when": "$.ok == true"}.',
      null, null
    from dependencies as d
    where jsonb_typeof(d.value) not in ('object', 'string')
    union all
    select
      l.place, l.path, 'must be the name of a limit or an object', 'For example "stripe", or {"limit": "stripe", "limit_units": 3}.', null, null
    from limits as l
    where jsonb_typeof(l.value) not in ('object', 'string')
       or jsonb_typeof(l.value) = 'string' and l.value #>> '{}' !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$'
    union all
    select
      a.place, a.path, 'must be an object',
      case a.object when 'await' then 'For example {"signal": "approved"}, {"for": "3d"}.' else 'For example {"event": "paid"}.' end, null, null
    from alternatives as a
    where jsonb_typeof(a.value) <> 'object'
    union all
    select
      array[12, t.no], 'types.' || left(t.key, 100), 'must be a text of at most 500 characters', null, null, null
    from jsonb_each(
      case when jsonb_typeof(p_template -> 'types') = 'object' then p_template -> 'types' end
    ) with ordinality as t (key, value, no)
    where jsonb_typeof(t.value) <> 'string'
       or length(t.value #>> '{}') > 500
    union all
    select
      o.place || f.position::bigint, ltrim(o.path || '.' || f.field, '.'), 'is missing', f.description, null, null
    from proper as o
    join tasker.template_fields as f
      on f.object = o.object
     and f.required
    where coalesce(jsonb_typeof(o.value -> f.field), 'null') = 'null'
    union all
    select
      o.place || coalesce(f.position, 1000)::bigint,
      ltrim(o.path || '.' || left(m.key, 100), '.'),
      case
        when f.field is null then format('%s %s has no such field', case when o.object like 'a%' then 'an' else 'a' end, o.object)
        else tasker.template_value_problem(f, m.value)
      end,
      f.description,
      case when f.field is null then o.object end,
      case when f.field is null then m.key end
    from proper as o
    cross join jsonb_each(o.value) as m (key, value)
    left join tasker.template_fields as f
      on f.object = o.object
     and f.field = m.key
    where f.field is null
       or tasker.template_value_problem(f, m.value) is not null
  )
  -- Search for similar names only for the problems that are returned.
  select
    f.path,
    f.problem,
    case
      when f.unknown is null then f.hint
      else coalesce('Did you mean "' || tasker.nearest_name(f.unknown, k.fields) || '"? ', '')
        || format('Its fields are %s.', array_to_string(k.fields, ', '))
    end
  from (
    select f.*
      from found as f
     order by f.place, f.path
     limit 20
  ) as f
  cross join lateral (
    select array_agg(k.field order by k.position) as fields
      from tasker.template_fields as k
     where k.object = f.object
  ) as k
  order by f.place, f.path;
end;
$$;

comment on function tasker.template_shape_problems is
$$Returns the unknown fields of a template (fields that tasker.template_fields does not list), the invalid values and the missing fields: the first twenty problems, in the order of the template.$$;
