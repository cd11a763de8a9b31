create or replace function tasker.parse_condition(p_condition text)
  returns jsonpath
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.condition_error(p_condition) is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the condition "%s" is not a jsonpath predicate', left(p_condition, 100)),
      detail  = tasker.condition_error(p_condition),
      hint    = 'For example: $.approved == true, or $.amount > 100.';
  end if;
  return p_condition::jsonpath;
end;
$$;

comment on function tasker.parse_condition is
$$Converts a text to jsonpath. Returns null for null. Raises TK422 if the text cannot be the condition of an edge.$$;
