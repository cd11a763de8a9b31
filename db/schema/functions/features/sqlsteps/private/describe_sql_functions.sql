create or replace function tasker.describe_sql_functions(p_namespaces text[])
  returns setof tasker.sql_function_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  with named as (
    select n.name as namespace, tasker.sql_function_of(h.name) as function, count(distinct k.named_task_uuid) as templates
      from tasker.named_steps as h
      join tasker.named_tasks_named_steps as s
        on h.named_step_uuid in (s.named_step_uuid, s.compensate_uuid)
      join tasker.named_tasks as k
        on k.named_task_uuid = s.named_task_uuid
       and k.retired_at is null
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where starts_with(h.name, 'sql:')
       and (p_namespaces is null or n.name = any (p_namespaces))
     group by 1, 2
    union all
    select r.namespace, null, 0
      from tasker.sql_roles as r
     where p_namespaces is null or r.namespace = any (p_namespaces)
  )
  select
    f.namespace, f.function, pg_get_userbyid(r.role)::text, f.templates,
    coalesce(
      -- This problem arises if the role was granted further rights after it was bound.
      'role "' || pg_get_userbyid(r.role)::text || '" ' || tasker.sql_role_problem(r.role) || ': bind another',
      case when f.function is not null then (tasker.sql_function_problem(f.namespace, f.function))[2] end,
      case when r.role is not null and f.namespace <> all (tasker.intact_sql_roles()) then
        'the function of schema tasker_sql that bind_sql_role made is gone or changed: bind the role again'
      end
    )
  from named as f
  left join tasker.sql_roles as r
    on r.namespace = f.namespace
  where f.function is not null
     or not exists (select from named as o where o.namespace = f.namespace and o.function is not null)
  order by f.namespace, f.function;
end;
$$;

comment on function tasker.describe_sql_functions is
$$Returns the SQL functions that templates of these namespaces (null: all namespaces) name, in the form of tasker.list_sql_functions.$$;
