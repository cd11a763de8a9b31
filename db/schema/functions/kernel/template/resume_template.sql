create or replace function tasker.resume_template(
  p_namespace  text,
  p_name       text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns text[]
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_resumed text[];
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  if not exists (select from tasker.creation_plans as p where p.namespace = p_namespace and p.name = p_name) then
    perform tasker.raise_template_not_found(p_namespace, p_name, null);
  end if;
  with locked as (
    select p.named_step_uuid
      from tasker.handler_pauses as p
     where p.namespace = p_namespace
       and p.template = p_name
     order by p.named_step_uuid
       for update
  ),
  gone as (
    delete from tasker.handler_pauses as p
     using locked as l
     where p.namespace = p_namespace
       and p.named_step_uuid = l.named_step_uuid
    returning p.handler
  )
  select coalesce(array_agg(g.handler order by g.handler), '{}') into v_resumed from gone as g;
  if v_resumed <> '{}' then
    perform tasker.notify_steps_ready(p_namespace);
  end if;
  return v_resumed;
end;
$$;

comment on function tasker.resume_template is
$$Ends the pauses that tasker.pause_template began, and wakes the workers of the namespace. Returns the handlers whose steps can be claimed again. This list is empty if the template was not paused. A handler that was paused with tasker.pause_handler stays paused.

Locks the pauses' rows, then the row of tasker.settings_now. Raises TK404 if there is no such namespace or template, TK413 if the actor's name or the reason is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.resume_template to tasker_orchestrator, tasker_operator;
