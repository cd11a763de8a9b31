create or replace function tasker.check_where(p_where text, p_templates uuid[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_error text := tasker.condition_error(p_where);
  v_clear text; -- the fields in the clear, if all templates are encrypted and the path names none of these fields
begin
  if v_error is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the filter "%s" is not a jsonpath that a list can use', left(p_where, 100)),
      detail  = v_error,
      hint    = 'For example: $.total > 100, or $.items[*] ? (@.price > 100 && @.name starts with "lamp").';
  end if;
  select string_agg(distinct k.input_schema #>> '{encrypted,clear}', ', ')
    into v_clear
    from tasker.creation_plans as k
   where k.named_task_uuid = any (p_templates)
  having bool_and(coalesce(k.input_schema ? 'encrypted', false) and not exists (
    select
      from jsonb_array_elements_text(k.input_schema #> '{encrypted,clear}') as f (name)
     where position(f.name in p_where::jsonpath::text) > 0
        or p_where like '%*%'
  ));
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('the filter "%s" reads encrypted fields only', left(p_where, 100)),
      detail  = format('The contexts of these tasks are encrypted. Fields in the clear: %s.', coalesce(v_clear, '[]')),
      hint    = 'Filter by a field that the template names in "encrypted.clear".';
  end if;
end;
$$;

comment on function tasker.check_where is
$$Raises TK422 for a filter of contexts that is no jsonpath, or that may cost more than one walk through a context for
each of its paths. The same rule holds for conditions (tasker.condition_error). Also raises TK422 if all templates are
encrypted and the filter names none of their fields in the clear and has no wildcard.$$;
