create or replace function tasker.template_open_tasks(p_namespace text, p_name text)
  returns setof tasker.tasks
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select t.*
    from (
      select t.*
        from tasker.tasks as t
       where not t.complete
       order by t.task_uuid desc
       limit 100000
    ) as t
   where t.named_task_uuid = any (array(
     select k.named_task_uuid
       from tasker.named_tasks as k
       join tasker.task_namespaces as n
         on n.task_namespace_uuid = k.task_namespace_uuid
      where n.name = p_namespace
        and k.name = p_name
   ))
   limit 1000;
end;
$$;

comment on function tasker.template_open_tasks is
$$Returns the newest open tasks of all versions of a template, at most 1,000 of them. Searches only the newest 100,000
open tasks.$$;
