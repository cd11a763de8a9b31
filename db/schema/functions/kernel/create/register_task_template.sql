create or replace function tasker.register_task_template(
  p_template  jsonb,
  p_actor     text   default null,
  p_reason    text   default null
)
  returns setof tasker.template_registrations
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_template  jsonb;
  v_hash      bytea;
  v_types     jsonb := nullif(p_template -> 'types', 'null');
  v_namespace uuid;
  v_old       tasker.named_tasks;
  v_uuid      uuid;
  v_cycle     text;
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_depth('template', p_template);
  perform tasker.check_task_template(p_template);
  v_template := tasker.normalize_template(p_template);
  perform tasker.check_bound_namespaces(array(
    select distinct s.value #>> '{task,namespace}' from jsonb_array_elements(v_template -> 'steps') as s (value)
  ));
  v_hash := sha256(convert_to(v_template::text, 'UTF8'));

  select n.task_namespace_uuid
    into strict v_namespace
    from tasker.register_namespace(v_template ->> 'namespace', p_actor => p_actor, p_reason => p_reason) as n;

  -- Only one session at a time registers a new version, because its steps take over the numbers of earlier versions.
  if not exists (
    select from tasker.named_tasks as k
     where k.task_namespace_uuid = v_namespace
       and k.name = v_template ->> 'name'
       and k.version = v_template ->> 'version'
  ) then
    perform from tasker.task_namespaces as n where n.task_namespace_uuid = v_namespace for no key update;
  end if;

  insert into tasker.named_tasks (
    task_namespace_uuid, name, version, description, configuration, content_hash, types, identity_strategy, on_failure,
    total_steps, root_steps, waiting_roots, has_conditions, has_maps, root_effects, has_compensations,
    max_waiting_for_dependencies_minutes, max_waiting_for_retry_minutes, max_steps_in_process_minutes
  )
  values (
    v_namespace, v_template ->> 'name', v_template ->> 'version', v_template ->> 'description',
    v_template, v_hash, v_types, v_template ->> 'identity_strategy', v_template ->> 'on_failure', jsonb_array_length(v_template -> 'steps'),
    jsonb_array_length(jsonb_path_query_array(v_template, '$.steps[*] ? (@.dependencies.size() == 0 && !exists (@.for_each))')),
    jsonb_array_length(jsonb_path_query_array(v_template, '$.steps[*] ? (@.dependencies.size() == 0 && !exists (@.for_each) && (exists (@.await) || exists (@.task)))')),
    jsonb_path_exists(v_template, '$.steps[*].dependencies[*].when'),
    jsonb_path_exists(v_template, '$.steps[*] ? (exists (@.for_each) || exists (@.dependencies[*].on) || @.join == "first")'),
    tasker.root_effects(v_template),
    jsonb_path_exists(v_template, '$.steps[*].compensate'),
    (v_template #>> '{lifecycle,max_waiting_for_dependencies_minutes}')::integer,
    (v_template #>> '{lifecycle,max_waiting_for_retry_minutes}')::integer,
    (v_template #>> '{lifecycle,max_steps_in_process_minutes}')::integer
  )
  on conflict (task_namespace_uuid, name, version) do nothing
  returning named_task_uuid into v_uuid;

  if v_uuid is not null then
    perform tasker.insert_template_steps(v_uuid, v_template);
    v_cycle := case when jsonb_path_exists(v_template, '$.steps[*].task') then tasker.start_cycle(v_template ->> 'namespace', v_template ->> 'name') end;
    if v_cycle is not null then
      raise warning using
        errcode = '01000',
        message = format('template "%s/%s" can start itself', v_template ->> 'namespace', v_template ->> 'name'),
        detail  = format('Its tasks start those of "%s", which start it.', v_cycle),
        hint    = 'Such tasks need an end, such as a condition on the step that starts the next; the setting "max_task_tree" bounds the tasks below one root.';
    end if;
  else
    -- A second statement sees the rows that another session committed while the first statement waited.
    select k.* into strict v_old
      from tasker.named_tasks as k
     where k.task_namespace_uuid = v_namespace
       and k.name = v_template ->> 'name'
       and k.version = v_template ->> 'version';

    perform tasker.check_same_template(v_old, v_template, v_hash);
    perform tasker.note_template_types(v_old, v_types);
  end if;

  return query
  select
    coalesce(v_uuid, v_old.named_task_uuid), v_template ->> 'namespace', v_template ->> 'name', v_template ->> 'version',
    jsonb_array_length(v_template -> 'steps'), v_hash, v_uuid is not null, v_old.retired_at;
end;
$$;

comment on function tasker.register_task_template is
$$Registers a version of a task template, and creates its namespace if the namespace is new. tasker.template_fields lists the fields.

Idempotent: the same content again, in any spelling, changes nothing and returns created = false. A retired version stays retired. Steps of a new version keep the numbers that steps of the same name have in other versions. Many sessions may register the same version at once. Warns (01000) if a template can start itself. A new version locks the namespace, then the template and its row of tasker.creation_plans, then new handlers by name.

Raises TK422 if the template is invalid (the error names the field). Raises TK403 if the caller is not bound to the namespaces of the template and of the tasks that its steps start. Raises TK409 if the version is registered with other content, or if a result or the context has another type in the field "types" than the program declared that registered the version. The detail of TK409 lists the differences.$$;

grant execute on function tasker.register_task_template to tasker_orchestrator, tasker_operator;
