create or replace function tasker.check_subscription_name(p_subscription text, p_found boolean, p_namespaces text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[];
begin
  if not (tasker.is_scoped() or exists (select from tasker.role_bindings)) then
    return;
  end if;
  v_bound := tasker.bound_namespaces();
  if v_bound is null
     or p_found and p_namespaces <@ v_bound
     or not p_found and exists (select from unnest(v_bound) as b (namespace) where starts_with(p_subscription, b.namespace || '_')) then
    return;
  end if;
  raise exception using
    errcode = 'TK403',
    message = format('a caller that is bound to namespaces may not use the name %s', coalesce('"' || left(p_subscription, 100) || '"', 'null')),
    detail  = format('The caller is bound to %s.', coalesce(nullif(array_to_string(v_bound[:10], ', '), ''), 'no namespace')),
    hint    = 'tasker.list_subscriptions() lists the subscriptions that it may use. It names new ones after one of its namespaces: <namespace>_<name>.';
end;
$$;

comment on function tasker.check_subscription_name is
$$Raises TK403 unless the caller may use the name p_subscription. p_found says whether a subscription has this name; p_namespaces are the namespaces of that subscription. A bound caller gets the same error for a foreign subscription as for a name that the caller may not give to a new subscription.$$;
