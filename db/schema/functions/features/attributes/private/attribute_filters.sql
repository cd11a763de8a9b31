create or replace function tasker.attribute_filters(p_attributes text[], p_sort text)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_filters jsonb := '[]';
  v_filter  text;
  m         text[];
begin
  if cardinality(p_attributes) > 10 then
    raise exception using
      errcode = 'TK422',
      message = format('a search has %s attributes', cardinality(p_attributes)),
      hint    = 'Pass at most ten conditions.';
  end if;
  foreach v_filter in array coalesce(p_attributes, '{}') loop
    m := regexp_match(v_filter, '^\s*([a-z][a-z0-9_]*)\s*(>=|<=|=|>|<)(.*)$');
    if m is null or length(v_filter) > 600 then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" is no condition on an attribute', coalesce(left(v_filter, 100), 'null')),
        hint    = 'Write the name, one of = >= <= > <, and the value, such as customer=42 or total>=100.';
    end if;
    v_filters := v_filters || jsonb_build_object('name', m[1], 'op', m[2], 'value', m[3]);
  end loop;
  if p_sort is not null and p_sort !~ '^-?[a-z][a-z0-9_]*$' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no attribute to sort by', left(p_sort, 100)),
      hint    = 'Pass the name of an attribute, with - in front of it for the largest value first.';
  end if;
  return v_filters;
end;
$$;

comment on function tasker.attribute_filters is
$$Returns the conditions on attributes as an array of objects: name, op, value. Raises TK422 for an invalid condition, and for a sort that is not the name of an attribute.$$;
