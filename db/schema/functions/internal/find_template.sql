create or replace function tasker.find_template(p_namespace text, p_name text, p_version text)
  returns tasker.named_tasks
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_template tasker.named_tasks;
begin
  -- The newest version that is not retired, or the version asked for whatever it is.
  select k.*
    into v_template
    from tasker.task_namespaces as n
    join tasker.named_tasks as k
      on k.task_namespace_uuid = n.task_namespace_uuid
   where n.name = p_namespace
     and k.name = p_name
     and k.version = coalesce(p_version, k.version)
   order by (k.retired_at is null) desc, k.created_at desc, k.named_task_uuid desc
   limit 1;

  if not found then
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

comment on function tasker.find_template(text, text, text) is
$$The template to make a task of: the version named, or the newest that is not retired. Raises TK404 if there is none, TK410 if it is retired.$$;

revoke all on function tasker.find_template(text, text, text) from public;
