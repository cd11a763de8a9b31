create or replace function tasker.raise_bad_lease(p_lease_seconds integer)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK422',
    message = format('a lease of %s seconds is out of range', coalesce(p_lease_seconds::text, 'null')),
    hint    = 'Pass 1 to 3600.';
end;
$$;

comment on function tasker.raise_bad_lease is
$$Raises TK422 for a reader's lease that is out of range.$$;
