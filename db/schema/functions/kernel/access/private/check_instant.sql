create or replace function tasker.check_instant(p_name text, p_instant timestamptz)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_instant not between timestamptz '0001-01-01 00:00:00Z' and timestamptz '9999-12-31 23:59:59Z' then
    raise exception using
      errcode = 'TK422',
      message = format('the %s cannot be %s', p_name, p_instant),
      hint    = 'Times must be within the years 1 to 9999.';
  end if;
end;
$$;

comment on function tasker.check_instant is
$$Raises TK422 for a time outside the years 1 to 9999, because arithmetic with it could overflow.$$;
