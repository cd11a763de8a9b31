create or replace function tasker.check_array_size(p_name text, p_size integer, p_limit integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_size > p_limit then
    raise exception using
      errcode = 'TK413',
      message = format('%s %s are too many for one call', p_size, p_name),
      detail  = format('The limit is %s.', p_limit),
      hint    = 'Split them into several calls.';
  end if;
end;
$$;

comment on function tasker.check_array_size is
$$Raises TK413 if a list of arguments has more than p_limit elements.$$;
