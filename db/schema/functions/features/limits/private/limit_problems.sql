create or replace function tasker.limit_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- The step itself, which names its first limit, and its further limits.
  v_all jsonb := jsonb_build_array(p_step) || case when jsonb_typeof(p_step -> 'limits') = 'array' then p_step -> 'limits' else '[]' end;
begin
  return query
  select f.field, 'has no meaning without a limit', 'Name the limit of the namespace: "limit": "stripe".'::text
    from unnest('{limit_key,limit_units,limit_hold,limit_bound,limits}'::text[]) with ordinality as f (field, no)
   where p_step ->> 'limit' is null
     and p_step ->> f.field is not null
   order by f.no;
  return query
  select n.path || p.field, p.problem, p.hint
    from jsonb_array_elements(v_all) with ordinality as m (value, no)
   cross join lateral (
     select case when m.no > 1 then format('limits[%s].', m.no - 2) else '' end as path, m.value ->> 'limit_key' as key, m.value ->> 'limit_bound' as bound
   ) as n
   cross join lateral (
     select 'limit_key' as field, format('"%s" is not a path of the context or the inputs', left(n.key, 100)) as problem,
            e.error || ' For example: $.customer, or $inputs.region.' as hint
       from tasker.condition_error(regexp_replace(n.key, '\$inputs(?![a-zA-Z0-9_])', '$', 'g')) as e (error)
      where e.error is not null
     union all
     select 'limit_bound', format('"%s" is not a path of the context', left(n.bound, 100)), e.error || ' For example: $.plan.places.'
       from tasker.condition_error(n.bound) as e (error)
      where e.error is not null
     union all
     select 'limit_bound', 'needs a limit_bound_max', 'limit_bound_max is the largest bound that a task may give the key: a larger number counts as this number.'
      where n.bound is not null and m.value ->> 'limit_bound_max' is null
     union all
     select 'limit_bound_max', 'has no meaning without a limit_bound', 'The path of the bound in the context is limit_bound, such as $.plan.places.'
      where n.bound is null and m.value ->> 'limit_bound_max' is not null
     union all
     select 'limit_bound', 'cannot bound keys of elements', 'The bounds are set when the task is created: use a limit_key of the context.'
      where n.bound is not null and p_step ->> 'for_each' is not null and n.key ~ '\$inputs(?![a-zA-Z0-9_])'
   ) as p
   order by m.no, p.field;
  return query
  select format('limits[%s]', m.no - 2), format('names limit "%s" again', left(n.name, 128)), 'A step names a limit once; limit_units says how many places it takes.'::text
    from jsonb_array_elements(v_all) with ordinality as m (value, no)
   cross join lateral (select coalesce(m.value ->> 'limit', m.value #>> '{}') as name) as n
   where m.no > 1
     and exists (
       select
         from jsonb_array_elements(v_all) with ordinality as b (value, no)
        where b.no < m.no
          and coalesce(b.value ->> 'limit', case when jsonb_typeof(b.value) = 'string' then b.value #>> '{}' end) = n.name
     )
   order by m.no;
end;
$$;

comment on function tasker.limit_problems is
$$Returns the problems of the limits of a step: a key, units, a bound or further limits without a limit, an invalid path, a bound without a maximum, or a limit that is named twice.$$;
