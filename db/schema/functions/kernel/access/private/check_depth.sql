create or replace function tasker.check_depth(p_name text, p_value jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.is_too_deep(p_value) then
    raise exception using
      errcode = 'TK422',
      message = format('the %s is nested deeper than 1,000 levels', p_name),
      hint    = 'Flatten it, or pass it as a text.';
  end if;
end;
$$;

comment on function tasker.check_depth is
$$Raises TK422 if objects and arrays are nested deeper than 1,000 levels in a value.$$;
