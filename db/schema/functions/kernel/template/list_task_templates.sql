create or replace function tasker.list_task_templates(p_namespace text default null)
  returns setof tasker.task_template_summaries
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
  select
    k.named_task_uuid, n.name, k.name, k.version, k.description, k.identity_strategy, k.on_failure,
    (
      select count(*)::integer
        from tasker.named_tasks_named_steps as s
       where s.named_task_uuid = k.named_task_uuid
    ),
    k.created_at, k.retired_at
  from tasker.task_namespaces as n
  join tasker.named_tasks as k
    on k.task_namespace_uuid = n.task_namespace_uuid
  where (p_namespace is null or n.name = p_namespace)
    and (v_bound is null or n.name = any (v_bound))
  order by n.name, k.name, k.created_at desc, k.named_task_uuid desc;
end;
$$;

comment on function tasker.list_task_templates is
$$Returns the registered templates of a namespace, or of all namespaces, including retired versions. They are ordered by name, with the newest version first. A bound caller sees only its own namespaces.

Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_task_templates
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
