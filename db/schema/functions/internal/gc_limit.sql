create or replace function tasker.gc_limit(p_limit integer)
  returns integer
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit not between 1 and 100000 then
    raise exception using
      errcode = 'TK422',
      message = format('limit is %s; it must be between 1 and 100000', p_limit);
  end if;
  return coalesce(p_limit, 5000);
end;
$$;

comment on function tasker.gc_limit(integer) is
$$How many rows one call of garbage collection may delete: 5000 for null. Raises TK422 for a number out of bounds.$$;

revoke all on function tasker.gc_limit(integer) from public;
