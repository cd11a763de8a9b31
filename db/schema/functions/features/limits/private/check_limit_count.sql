create or replace function tasker.check_limit_count(p_namespace text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (select count(*) from tasker.limits as l where l.namespace = p_namespace) > 1000 then
    raise exception using
      errcode = 'TK413',
      message = format('namespace "%s" would have more than 1000 limits', left(p_namespace, 100)),
      hint    = 'A limit has any number of keys: one limit with limit_key serves all customers.';
  end if;
end;
$$;

comment on function tasker.check_limit_count is
$$Raises TK413 if a namespace has more than 1,000 limits.$$;
