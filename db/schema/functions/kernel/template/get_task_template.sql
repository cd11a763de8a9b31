create or replace function tasker.get_task_template(p_namespace text, p_name text, p_version text default null)
  returns setof tasker.task_templates
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
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
    k.content_hash, k.created_at, k.retired_at, k.configuration
  from tasker.task_namespaces as n
  join tasker.named_tasks as k
    on k.task_namespace_uuid = n.task_namespace_uuid
  where n.name = p_namespace
    and k.name = p_name
    and (k.version = p_version or (p_version is null and k.retired_at is null))
  order by k.created_at desc, k.named_task_uuid desc
  limit 1;

  if not found then
    perform tasker.raise_template_not_found(p_namespace, p_name, p_version);
  end if;
end;
$$;

comment on function tasker.get_task_template is
$$Returns a registered template. With a version, returns that version, retired or not. Without a version, returns the version that was registered last and is not retired.

Raises TK404 if there is no such template, TK410 if p_version is null and all versions are retired, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_template
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
