create or replace function tasker.find_template(p_namespace text, p_name text, p_version text)
  returns tasker.creation_templates
  language plpgsql
  stable
as $$
declare
  v_template   tasker.creation_templates;
  v_retired_at timestamptz;
begin
  -- The newest version that is not retired, or the requested version, retired or not.
  select
    k.named_task_uuid, k.version, k.identity_strategy, k.total_steps, k.root_steps, k.waiting_roots, k.has_maps, n.transport,
    n.paused_at is not null,
    (select c.value::integer from tasker.settings as c where c.name = 'context_bytes'),
    (select r.ends_at
       from tasker.partition_ranges as r
      where r.starts_at <= tasker.clock()
      order by r.starts_at desc
      limit 1),
    k.root_effects,
    k.has_compensations,
    coalesce(n.notify, (select c.value from tasker.settings as c where c.name = 'notify')),
    exists (select from tasker.role_bindings),
    k.retired_at
    into
      v_template.named_task_uuid, v_template.version, v_template.identity_strategy, v_template.total_steps,
      v_template.root_steps, v_template.waiting_roots, v_template.has_maps, v_template.transport, v_template.paused,
      v_template.context_bytes, v_template.range_ends_at, v_template.root_effects,
      v_template.has_compensations, v_template.notify, v_template.any_bound, v_retired_at
    from tasker.task_namespaces as n
    join tasker.named_tasks as k
      on k.task_namespace_uuid = n.task_namespace_uuid
   where n.name = p_namespace
     and k.name = p_name
     and k.version = coalesce(p_version, k.version)
   order by (k.retired_at is null) desc, k.created_at desc, k.named_task_uuid desc
   limit 1;

  if v_template.named_task_uuid is null then
    perform tasker.raise_template_not_found(p_namespace, p_name, p_version);
  end if;
  if v_retired_at is not null then
    raise exception using
      errcode = 'TK410',
      message = format('template "%s/%s" version %s is retired', p_namespace, p_name, v_template.version),
      detail  = format('Since %s.', to_char(v_retired_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')),
      hint    = 'Name another version, or register a new one.';
  end if;
  return v_template;
end;
$$;

comment on function tasker.find_template is
$$Returns the template to create a task from, with all that creation needs of it: the named version, or the newest that is not retired. Raises TK404 if there is none, TK410 if it is retired.$$;
