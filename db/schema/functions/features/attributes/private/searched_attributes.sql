create or replace function tasker.searched_attributes(p_namespaces text[], p_names text[])
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_found jsonb;
  v_name  text;
begin
  select coalesce(jsonb_object_agg(n.name, jsonb_build_object('type', n.type, 'types', n.types, 'nos', n.nos)), '{}')
    into v_found
    from (
      select n.name, min(n.type) as type, count(distinct n.type) as types, array_agg(n.attribute_no order by n.attribute_no)::text as nos
        from tasker.attributes as n
       where n.name = any (p_names)
         and (p_namespaces is null or n.namespace = any (p_namespaces))
       group by n.name
    ) as n;
  foreach v_name in array p_names loop
    if not v_found ? v_name then
      raise exception using
        errcode = 'TK422',
        message = format('no template declares the attribute "%s"%s', left(v_name, 40), coalesce(format(' in the namespace "%s"', p_namespaces[1]), '')),
        hint    = coalesce((
          select 'Did you mean "' || tasker.nearest_name(left(v_name, 40), array_agg(distinct n.name)) || '"? '
            from tasker.attributes as n
           where p_namespaces is null
              or n.namespace = any (p_namespaces)
        ), '') || 'tasker.list_attributes() lists the attributes.';
    elsif (v_found #>> array[v_name, 'types'])::integer > 1 then
      raise exception using
        errcode = 'TK422',
        message = format('the attribute "%s" has different types in different namespaces', v_name),
        hint    = 'Name the namespace.';
    end if;
  end loop;
  return v_found;
end;
$$;

comment on function tasker.searched_attributes is
$$Returns the type and the numbers of attributes by their names, in these namespaces or in all namespaces. Raises TK422 for a name that no template declares, and for a name with several types.$$;
