create or replace function tasker.list_attributes(p_namespace text default null)
  returns setof tasker.attribute_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select n.namespace, n.name, n.type, array(
      select distinct k.name
        from tasker.template_attributes as d
        join tasker.named_tasks as k
          on k.named_task_uuid = d.named_task_uuid
       where d.attribute_no = n.attribute_no
       order by k.name
    )
    from tasker.attributes as n
   where (p_namespace is null or n.namespace = p_namespace)
     and (v_bound is null or n.namespace = any (v_bound))
   order by n.namespace, n.name
   limit 10000;
end;
$$;

comment on function tasker.list_attributes is
$$Returns the attributes that templates declare, of one namespace or of all namespaces, at most 10,000 attributes. A bound caller sees its namespaces only. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_attributes to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
