create or replace function tasker.check_namespace_exists(p_namespace text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from tasker.task_namespaces as n where n.name = p_namespace) then
    raise exception using
      errcode = 'TK404',
      message = format('namespace %s does not exist', coalesce('"' || left(p_namespace, 100) || '"', 'null')),
      hint    = 'Register it with tasker.register_namespace(name), or a template in it.';
  end if;
end;
$$;

comment on function tasker.check_namespace_exists is
$$Raises TK404 if there is no such namespace.$$;
