create or replace function tasker.check_period(p_name text, p_period interval)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_period not between interval '-1000 years' and interval '1000 years' then
    raise exception using
      errcode = 'TK422',
      message = format('the %s cannot be %s', p_name, p_period),
      hint    = 'It must be at most a thousand years.';
  end if;
end;
$$;

comment on function tasker.check_period is
$$Raises TK422 for an interval longer than a thousand years, which could not be added to a time.$$;
