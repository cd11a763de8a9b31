create or replace function tasker.check_limit(p_limit integer, p_maximum integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit is null or p_limit not between 1 and p_maximum then
    raise exception using
      errcode = 'TK422',
      message = format('a limit of %s is out of range', coalesce(p_limit::text, 'null')),
      hint    = format('It must be from 1 to %s.', p_maximum);
  end if;
end;
$$;

comment on function tasker.check_limit is
$$Raises TK422 unless a limit is from 1 to p_maximum.$$;
