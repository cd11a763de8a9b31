create or replace function tasker.check_page_size(p_limit integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit not between 1 and 10000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', p_limit),
      hint    = 'A page has 1 to 10,000 rows.';
  end if;
end;
$$;

comment on function tasker.check_page_size is
$$Raises TK422 if the limit is not null and out of bounds.$$;
