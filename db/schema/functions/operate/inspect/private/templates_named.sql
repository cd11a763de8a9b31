create or replace function tasker.templates_named(p_namespace text, p_name text, p_version text, p_bound text[])
  returns uuid[]
  language plpgsql
  stable
as $$
begin
  return array(
    select k.named_task_uuid
      from tasker.named_tasks as k
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where n.name = coalesce(p_namespace, n.name)
       and (p_bound is null or n.name = any (p_bound))
       and k.name = coalesce(p_name, k.name)
       and k.version = coalesce(p_version, k.version)
  );
end;
$$;

comment on function tasker.templates_named is
$$Returns the templates with this namespace, name and version. A null argument matches all. With p_bound, returns only
templates of these namespaces.$$;
