create or replace function tasker.namespace_of_task(p_task_uuid uuid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select n.name
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where t.task_uuid = p_task_uuid
  );
end;
$$;

comment on function tasker.namespace_of_task is
$$Returns the name of the namespace that a task belongs to.$$;
