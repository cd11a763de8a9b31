create or replace function tasker.raise_no_access(p_person text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK403',
    message = format('%s has no access: no access map fits', p_person),
    hint    = 'An operator gives access to a group with tasker access map CLAIM=VALUE.';
end;
$$;

comment on function tasker.raise_no_access is
$$Raises TK403, because no access map gives this person a role.$$;
