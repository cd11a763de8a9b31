create or replace function tasker.list_task_templates(p_namespace text default null)
  returns setof tasker.task_template_summaries
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
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
  where p_namespace is null
     or n.name = p_namespace
  order by n.name, k.name, k.created_at desc, k.named_task_uuid desc;
end;
$$;

comment on function tasker.list_task_templates(text) is
$$The registered templates of a namespace, or of all, retired ones included: by name, newest version first.$$;

revoke all on function tasker.list_task_templates(text) from public;
grant execute on function tasker.list_task_templates(text)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
