create or replace function tasker.attribute_declaration_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (select count(*) from jsonb_object_keys(p_template -> 'attributes')) > 8 then
    return query select 'attributes', 'has more than 8 attributes', 'Keep the attributes by which tasks are searched. The context and the results have the rest.';
    return;
  end if;
  return query
  select x.*
    from jsonb_each(p_template -> 'attributes') as a
   cross join lateral tasker.attribute_problems_of(p_template, a.key, a.value) as x
   order by a.key
   limit 20;
end;
$$;

comment on function tasker.attribute_declaration_problems is
$$Returns the problems of a template's field "attributes": too many attributes, malformed names, types and paths, unsuitable steps, and types that differ from the types in other templates of the namespace.$$;
