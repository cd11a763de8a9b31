create or replace function tasker.encryption_step_problems(p_template jsonb, p_clear jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hint constant text := 'The database cannot read encrypted values: name the field of the context in "encrypted.clear", or decide in a handler.';
begin
  return query
  select format('steps[%s].%s', s.no - 1, x.path), x.problem, v_hint
    from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
   cross join lateral (
     select format('dependencies[%s].when', d.no - 1) as path, 'is a condition on a result, which is encrypted' as problem
       from jsonb_array_elements(case when jsonb_typeof(s.value -> 'dependencies') = 'array' then s.value -> 'dependencies' end) with ordinality as d (value, no)
      where d.value ->> 'when' is not null
     union all
     select 'for_each', 'is an array of a result, which is encrypted'
      where jsonb_typeof(s.value -> 'for_each') = 'object'
     union all
     select 'for_each', format('"%s" is no field of the context in the clear', left(s.value ->> 'for_each', 100))
      where jsonb_typeof(s.value -> 'for_each') = 'string'
        and not tasker.clear_path(s.value ->> 'for_each', p_clear)
     union all
     select f.name, format('"%s" is no field of the context in the clear', left(l.value ->> f.name, 100))
       from jsonb_array_elements(jsonb_build_array(s.value) || case when jsonb_typeof(s.value -> 'limits') = 'array' then s.value -> 'limits' else '[]' end) as l (value)
      cross join unnest('{limit_key,limit_bound}'::text[]) as f (name)
      where jsonb_typeof(l.value) = 'object'
        and not tasker.clear_path(l.value ->> f.name, p_clear)
     union all
     select 'await.' || f.name, case when f.name in ('when', 'schema')
         then 'checks the payload of a signal, which is encrypted'
         else format('"%s" is no field of the context in the clear', left(a.value ->> f.name, 100)) end
       from jsonb_array_elements(case jsonb_typeof(s.value -> 'await') when 'array' then s.value -> 'await' when 'object' then jsonb_build_array(s.value -> 'await') end) as a (value)
      cross join unnest('{when,schema,key,until}'::text[]) as f (name)
      where a.value ->> f.name is not null
        and case when f.name in ('when', 'schema') then a.value ? 'signal'
              else a.value ->> f.name like '$%' and not tasker.clear_path(a.value ->> f.name, p_clear) end
     union all
     select 'task.context', format('%s is a part of an encrypted value', left(r.value::text, 100))
       from jsonb_each(case
           when jsonb_typeof(s.value #> '{task,context}') is distinct from 'object' then '{}'
           when tasker.is_child_reference(s.value #> '{task,context}') then jsonb_build_object('', s.value #> '{task,context}')
           else s.value #> '{task,context}'
         end) as r
      where tasker.is_child_reference(r.value)
        and case
          when jsonb_typeof(r.value) = 'string' then r.value <> '"$"' and not tasker.clear_path(r.value #>> '{}', p_clear)
          when r.value ? 'step' then coalesce(r.value ->> 'path', '$') <> '$'
          else coalesce(r.value ->> 'path', '$') <> '$' and not tasker.clear_path(r.value ->> 'path', p_clear)
        end
     union all
     select case when s.value ->> 'sql' is null then 'compensate' else 'sql' end, 'is a function of the database, which cannot read its input'
      where s.value ->> 'sql' is not null
         or s.value ->> 'compensate' like 'sql:%'
   ) as x
   order by s.no
   limit 20;
end;
$$;

comment on function tasker.encryption_step_problems is
$$Returns the problems of steps for which the database would have to read an encrypted value: conditions, maps, keys of limits and events, schemas, parts of values for other tasks, and SQL functions.$$;
