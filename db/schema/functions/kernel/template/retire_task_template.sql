create or replace function tasker.retire_task_template(
  p_namespace  text,
  p_name       text,
  p_version    text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  update tasker.named_tasks as k
     set retired_at = tasker.clock()
    from tasker.task_namespaces as n
   where n.name = p_namespace
     and k.task_namespace_uuid = n.task_namespace_uuid
     and k.name = p_name
     and k.version = p_version
     and k.retired_at is null;
  if found then
    return true;
  end if;

  if not exists (
    select
      from tasker.task_namespaces as n
      join tasker.named_tasks as k
        on k.task_namespace_uuid = n.task_namespace_uuid
     where n.name = p_namespace
       and k.name = p_name
       and k.version = p_version
  ) then
    perform tasker.raise_template_not_found(p_namespace, p_name, coalesce(p_version, 'null'));
  end if;
  return false;
end;
$$;

comment on function tasker.retire_task_template is
$$Retires a version of a template: no new tasks can be created from it. Existing tasks keep running. Returns true if this call retired the version.

Idempotent. A retirement is permanent. Locks the template's row, then its row of tasker.creation_plans. Raises TK404 if there is no such version, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.retire_task_template to tasker_orchestrator, tasker_operator;
