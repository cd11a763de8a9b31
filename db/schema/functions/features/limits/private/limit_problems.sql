create or replace function tasker.limit_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_more jsonb := case when jsonb_typeof(p_step -> 'limits') = 'array' then p_step -> 'limits' else '[]' end;
begin
  return query
  select f.field, 'has no meaning without a limit', 'Name the limit of the namespace: "limit": "stripe".'::text
    from unnest('{limit_key,limit_units,limit_hold,limits}'::text[]) with ordinality as f (field, no)
   where p_step ->> 'limit' is null
     and p_step ->> f.field is not null
   order by f.no;
  return query
  select k.path, format('"%s" is not a path of the context or the inputs', left(k.key, 100)),
         e.error || ' For example: $.customer, or $inputs.region.'
    from (
      select 0 as no, 'limit_key' as path, p_step ->> 'limit_key' as key
      union all
      select m.no, format('limits[%s].limit_key', m.no - 1), m.value ->> 'limit_key'
        from jsonb_array_elements(v_more) with ordinality as m (value, no)
    ) as k
   cross join lateral (select tasker.condition_error(regexp_replace(k.key, '\$inputs(?![a-zA-Z0-9_])', '$', 'g')) as error) as e
   where e.error is not null
   order by k.no;
  return query
  select format('limits[%s]', m.no - 1), format('names limit "%s" again', left(m.name, 128)), 'A step names a limit once; limit_units says how many places it takes.'::text
    from (
      select m.no, coalesce(m.value ->> 'limit', m.value #>> '{}') as name
        from jsonb_array_elements(jsonb_build_array(p_step -> 'limit') || v_more) with ordinality as m (value, no)
    ) as n
   cross join lateral (select n.no - 1 as no, n.name) as m
   where exists (
     select
       from jsonb_array_elements(jsonb_build_array(p_step -> 'limit') || v_more) with ordinality as b (value, no)
      where b.no < n.no
        and coalesce(b.value ->> 'limit', b.value #>> '{}') = n.name
   )
   order by m.no;
end;
$$;

comment on function tasker.limit_problems is
$$Returns the problems of the limits of a step: a key, units or further limits without a limit, an invalid path, or a limit that is named twice.$$;
