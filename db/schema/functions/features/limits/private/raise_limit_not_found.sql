create or replace function tasker.raise_limit_not_found(p_namespace text, p_name text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = case
      when p_namespace is null then 'the namespace of the limit is null'
      when p_name is null then 'the name of the limit is null'
      else format('limit "%s/%s" does not exist', left(p_namespace, 100), left(p_name, 128))
    end,
    hint    = 'tasker.list_limits() lists limits; tasker.set_limit() makes one.';
end;
$$;

comment on function tasker.raise_limit_not_found is
$$Raises TK404 for a limit that does not exist.$$;
