create or replace function tasker.template_registered(p_template jsonb, p_types jsonb)
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_old tasker.named_tasks;
begin
  select k.*
    into v_old
    from tasker.named_tasks as k
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where n.name = p_template ->> 'namespace'
     and k.name = p_template ->> 'name'
     and k.version = p_template ->> 'version';
  if not found then
    return;
  end if;
  if v_old.content_hash <> sha256(convert_to(p_template::text, 'UTF8')) then
    return query
    select
      'content', 'fail', v_old.version, null::text, null::text, 0::bigint,
      format('version "%s" is registered with other content', v_old.version),
      jsonb_build_object('differences', tasker.template_differences(v_old.configuration, p_template));
  end if;
  return query
  select
    'types', case when x.others = '[]' then 'ok' else 'fail' end, v_old.version, null::text, null::text, 0::bigint,
    case
      when v_old.types is null then format('no program has named the types of version "%s"', v_old.version)
      when x.others <> '[]' then format(
        'version "%s" is registered with other types (%s, not %s)', v_old.version, tasker.types_digest(v_old.types), tasker.types_digest(p_types)
      )
      else format('the types of version "%s" are %s', v_old.version, tasker.types_digest(v_old.types))
    end,
    jsonb_strip_nulls(jsonb_build_object(
      'registered', tasker.types_digest(v_old.types), 'checked', tasker.types_digest(p_types),
      'differ', nullif(jsonb_path_query_array(x.others, '$[*].of'), '[]')
    ))
  from tasker.type_differences(v_old.types, p_types) as x (others);
  return query
  select
    'types', 'warn', r.version, null::text, r.handlers[1], 0::bigint, r.finding,
    to_jsonb(r) - '{namespace,name,version,finding}'::text[]
  from tasker.list_refused_programs(array[p_template ->> 'namespace']) as r
  where r.name = p_template ->> 'name'
    and r.version = p_template ->> 'version';
end;
$$;

comment on function tasker.template_registered is
$$Returns how a template differs from the registered template with the same version: in its content, and in the types of
the context and of results that programs named. Also returns the programs that were refused under this version. Returns
no row if the version is new.$$;
