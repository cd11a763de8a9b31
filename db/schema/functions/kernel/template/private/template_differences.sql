create or replace function tasker.template_differences(p_old jsonb, p_new jsonb)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    with old_steps (name, place, value) as materialized (
      select e.value ->> 'name', e.no, e.value
        from jsonb_array_elements(p_old -> 'steps') with ordinality as e (value, no)
    ),
    new_steps (name, place, value) as materialized (
      select e.value ->> 'name', e.no, e.value
        from jsonb_array_elements(p_new -> 'steps') with ordinality as e (value, no)
    ),
    changed (path, old_value, new_value) as (
      select k.key, p_old -> k.key, p_new -> k.key
        from jsonb_object_keys(p_old || p_new) as k (key)
       where k.key <> 'steps'
      union all
      select
        format('step "%s"', coalesce(n.name, o.name)), to_jsonb('at position ' || o.place), to_jsonb('at position ' || n.place)
      from old_steps as o
      full join new_steps as n
        on n.name = o.name
      union all
      select format('step "%s" %s', n.name, k.key), o.value -> k.key, n.value -> k.key
        from old_steps as o
        join new_steps as n
          on n.name = o.name
         and n.value <> o.value
       cross join jsonb_object_keys(o.value || n.value) as k (key)
    ),
    shown as (
      select
        format(
          '%s is %s, not %s', c.path,
          left(coalesce(c.old_value #>> '{}', 'absent'), 200), left(coalesce(c.new_value #>> '{}', 'absent'), 200)
        ) as line,
        row_number() over (order by c.path) as place,
        count(*) over () as total
      from changed as c
      where c.old_value is distinct from c.new_value
    )
    select string_agg(s.line, '; ' order by s.place)
        || case when max(s.total) > 5 then format('; and %s more.', max(s.total) - 5) else '.' end
      from shown as s
     where s.place <= 5
  );
end;
$$;

comment on function tasker.template_differences is
$$Describes the first five differences between two templates in normal form.$$;
