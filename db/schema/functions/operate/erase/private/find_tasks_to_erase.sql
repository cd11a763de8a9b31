create or replace function tasker.find_tasks_to_erase(
  p_namespace  text,
  p_name       text,
  p_version    text,
  p_tags       text[],
  p_key        text,
  p_from       uuid,
  p_to         uuid,
  p_after      uuid,
  p_limit      integer
)
  returns setof uuid
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_keyed uuid[];
begin
  if p_key is not null then
    v_keyed := array(select d.task_uuid from tasker.find_tasks_by_key(p_key, p_namespace, p_name) as d);
  end if;
  -- The query is planned for the given filters, because tags and templates each have an index.
  return query
  select t.task_uuid
    from tasker.tasks as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where t.erased_at is null
     and (v_keyed is null or t.task_uuid = any (v_keyed))
     and (p_namespace is null or n.name = p_namespace)
     and (v_bound is null or n.name = any (v_bound))
     and (p_name is null or k.name = p_name)
     and (p_version is null or k.version = p_version)
     and (p_tags is null or t.tags @> p_tags)
     and (p_tags is null or p_tags = '{}' or t.tags <> '{}')
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.task_uuid > p_after
   order by t.task_uuid
   limit p_limit;
end;
$$;

comment on function tasker.find_tasks_to_erase is
$$Returns up to p_limit tasks after p_after, in the order of their UUIDs. These tasks match all given filters, are not
erased, and are in namespaces of the caller.$$;
