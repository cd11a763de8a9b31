create or replace function tasker.bind_role(
  p_role_name   text,
  p_namespaces  text[],
  p_actor       text    default null,
  p_reason      text    default null
)
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
  perform tasker.administer(p_actor, p_reason);
  if v_role is null or length(p_role_name) > 63 then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'Create it and grant it tasker_worker, or another group that it needs.';
  end if;
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);

  -- If two operators bind a role at the same time, the second call replaces the binding of the first.
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

comment on function tasker.bind_role is
$$Binds a database role, or the members of a group, to these namespaces. Then the role can read, create, claim and
change only objects of these namespaces. Lists show only these namespaces, and calls that concern all namespaces are
refused. Null or an empty array removes the binding. Returns the number of namespaces to which the role is now bound.

Replaces an earlier binding of the role. tasker.bound_namespaces says to which roles a binding applies. Locks the row
"role_bindings" of tasker.turns, so that calls run one at a time. Raises TK404 if there is no such role or namespace,
TK403 if the caller itself is bound to namespaces, and TK409 if another call does not end in time.$$;

grant execute on function tasker.bind_role to tasker_operator;
