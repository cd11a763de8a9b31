create or replace function tasker.map_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_path text := case when jsonb_typeof(p_step -> 'for_each') = 'string' then p_step ->> 'for_each' else p_step #>> '{for_each,path}' end;
begin
  if coalesce(jsonb_typeof(p_step -> 'for_each'), 'null') = 'null' then
    return query
    select k.key, 'has no meaning without for_each', null::text
      from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
     where k.key in ('max_parallel', 'allow_failures');
    return;
  end if;

  return query
  select k.key, 'has no meaning for a step with for_each', 'A map runs its handler, or starts a task, for each element; give the other work a step of its own.'
    from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
   where k.key = 'await'
  union all
  select
    'for_each' || case when jsonb_typeof(p_step -> 'for_each') = 'object' then '.path' else '' end,
    format('"%s" is not a path to an array', left(v_path, 100)),
    coalesce(tasker.condition_error(v_path) || ' ', '') || 'A path begins with $, such as $.lines.'
   where v_path !~ '^\s*\$'
      or tasker.condition_error(v_path) is not null
  union all
  select 'for_each.step', format('"%s" is not a dependency of this step', left(p_step #>> '{for_each,step}', 128)),
         'Add it to dependencies: the map runs over its result.'
   where p_step #>> '{for_each,step}' is not null
     and not exists (
       select
         from jsonb_array_elements(nullif(p_step -> 'dependencies', 'null')) as d (value)
        where coalesce(d.value ->> 'step', d.value #>> '{}') = p_step #>> '{for_each,step}'
     );
end;
$$;

comment on function tasker.map_problems is
$$Returns the problems of a well-formed step as a map: an invalid path, an array in the result of a step that is not a dependency, and fields that have no meaning.$$;
