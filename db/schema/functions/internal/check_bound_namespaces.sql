create or replace function tasker.check_bound_namespaces(p_namespaces text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_other text;
begin
  if v_bound is null then
    return;
  end if;

  select u.namespace
    into v_other
    from unnest(p_namespaces) as u (namespace)
   where not u.namespace = any (v_bound)
   limit 1;
  if found then
    raise exception using
      errcode = 'TK403',
      message = format('role "%s" may not work in namespace "%s"', tasker.caller_name(), v_other),
      detail  = format('It is bound to %s.', array_to_string(v_bound, ', ')),
      hint    = 'An operator binds it with tasker.bind_worker_role(role, namespaces).';
  end if;
end;
$$;

comment on function tasker.check_bound_namespaces(text[]) is
$$Raises TK403 if the caller's role is bound to other namespaces than these.$$;

revoke all on function tasker.check_bound_namespaces(text[]) from public;
