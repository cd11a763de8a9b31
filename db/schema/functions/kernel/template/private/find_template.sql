create or replace function tasker.find_template(p_namespace text, p_name text, p_version text)
  returns tasker.creation_templates
  language plpgsql
  stable
as $$
declare
  v_template tasker.creation_templates;
begin
  -- Find the requested version, retired or not, or the newest version that is not retired.
  select
    k.named_task_uuid, k.version, k.identity_strategy, k.state, k.complete, k.has_maps, k.total_steps, k.active_steps,
    k.suspended_steps, k.transition_count, k.root_effects, k.path, k.ready, k.undo, k.transport, coalesce(k.notify, c.notify),
    k.paused, c.context_bytes,
    case
      when tasker.clock() >= c.covered_from and tasker.clock() < c.covered_until then c.covered_until
      else (select r.ends_at from tasker.partition_ranges as r where r.starts_at <= tasker.clock() order by r.starts_at desc limit 1)
    end,
    c.any_bound, k.retired_at, k.input_schema, k.runs
    into v_template
    from tasker.creation_plans as k
   cross join tasker.settings_now as c
   where k.namespace = p_namespace
     and k.name = p_name
     and k.version = coalesce(p_version, k.version)
   order by k.retired_at is not null, k.created_at desc, k.named_task_uuid desc
   limit 1;
  if v_template.named_task_uuid is null then
    perform tasker.raise_template_not_found(p_namespace, p_name, p_version);
  end if;
  if v_template.retired_at is not null then
    raise exception using
      errcode = 'TK410',
      message = format('template "%s/%s" version %s is retired', p_namespace, p_name, v_template.version),
      detail  = format('Since %s.', to_char(v_template.retired_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')),
      hint    = 'Name another version, or register a new one.';
  end if;
  return v_template;
end;
$$;

comment on function tasker.find_template is
$$Returns the template from which a task is created, with all values that a creation needs: the named version, or the newest version that is not retired. Raises TK404 if there is no such template, TK410 if the version is retired.$$;
