create or replace function tasker.bind_worker_role(p_role_name text, p_namespaces text[])
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound integer;
begin
  if not exists (select from pg_roles as r where r.rolname = p_role_name) then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'Create it, and grant it tasker_worker.';
  end if;
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);

  -- Two operators at once: the second replaces what the first bound.
  perform pg_advisory_xact_lock(hashtextextended('tasker.worker_namespaces', 0));
  delete from tasker.worker_namespaces as b
   where b.role_name = p_role_name;
  insert into tasker.worker_namespaces (role_name, namespace)
  select distinct p_role_name, u.namespace
    from unnest(p_namespaces) as u (namespace);
  get diagnostics v_bound = row_count;
  return v_bound;
end;
$$;

comment on function tasker.bind_worker_role(text, text[]) is
$$Says in which namespaces a database role may claim steps and send results; null or none frees it: it may work in all. Returns to how many it is bound now.

Replaces what was bound before. Locks the role's bindings. Raises TK404 if there is no such role or namespace.$$;

revoke all on function tasker.bind_worker_role(text, text[]) from public;
grant execute on function tasker.bind_worker_role(text, text[]) to tasker_operator;
