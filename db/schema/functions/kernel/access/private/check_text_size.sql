create or replace function tasker.check_text_size(p_name text, p_text text, p_limit integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if length(p_text) > p_limit then
    raise exception using
      errcode = 'TK413',
      message = format('the %s is longer than %s characters', p_name, p_limit),
      detail  = format('It has %s characters.', length(p_text)),
      hint    = 'Store long texts elsewhere and pass a reference.';
  end if;
end;
$$;

comment on function tasker.check_text_size is
$$Raises TK413 if a text is longer than p_limit characters.$$;
