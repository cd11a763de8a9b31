create or replace function tasker.bind_role(p_role_name text, p_namespaces text[])
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role  oid := to_regrole(quote_ident(left(p_role_name, 64)));
  v_bound integer;
begin
  perform tasker.check_unbound();
  if v_role is null or length(p_role_name) > 63 then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'Create it, and grant it tasker_worker, or what it needs.';
  end if;
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);

  -- Two operators at once: the second replaces what the first bound.
  perform tasker.take_turn('role_bindings');
  delete from tasker.role_bindings as b
   where b.role = v_role;
  insert into tasker.role_bindings (role, namespace)
  select distinct v_role, u.namespace
    from unnest(p_namespaces) as u (namespace);
  get diagnostics v_bound = row_count;
  return v_bound;
end;
$$;

comment on function tasker.bind_role(text, text[]) is
$$Keeps a database role, and the members of a group, to these namespaces: what they read, create, claim and change is there, lists show nothing else, and what concerns all namespaces is refused. Null or none frees it. Returns to how many it is bound now.

Replaces what was bound before; see tasker.bound_namespaces for whom it holds. Locks the row role_bindings of tasker.turns: one call at a time. Raises TK404 if there is no such role or namespace, TK403 for a caller that is bound itself, TK409 if another call does not end in time.$$;

revoke all on function tasker.bind_role(text, text[]) from public;
grant execute on function tasker.bind_role(text, text[]) to tasker_operator;
