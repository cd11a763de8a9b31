create or replace function tasker.check_subscription_namespaces(p_namespaces text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_namespaces is null then
    perform tasker.check_unbound();
  else
    perform tasker.check_bound_namespaces(p_namespaces);
  end if;
end;
$$;

comment on function tasker.check_subscription_namespaces is
$$Raises TK403 unless the caller may see all namespaces of a subscription. Null means all namespaces that exist.$$;
