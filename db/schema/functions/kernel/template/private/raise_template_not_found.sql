create or replace function tasker.raise_template_not_found(p_namespace text, p_name text, p_version text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_versions text;
begin
  select string_agg(format('"%s"%s', x.version, case when x.retired then ' (retired)' else '' end), ', ' order by x.place)
    into v_versions
    from (
      select k.version, k.retired_at is not null as retired,
             row_number() over (order by k.created_at desc, k.named_task_uuid desc) as place
        from tasker.named_tasks as k
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where n.name = p_namespace
         and k.name = p_name
    ) as x
   where x.place <= 5;

  if v_versions is not null and p_version is null then
    raise exception using
      errcode = 'TK410',
      message = format('every version of template "%s/%s" is retired', p_namespace, p_name),
      detail  = format('Its newest versions are %s.', v_versions),
      hint    = 'Register a new version.';
  end if;
  raise exception using
    errcode = 'TK404',
    message = case
      when p_namespace is null then 'the namespace of the template is null'
      when p_name is null then 'the name of the template is null'
      else format('template "%s/%s"%s does not exist',
        left(p_namespace, 100), left(p_name, 100), ' version "' || left(p_version, 100) || '"')
    end,
    hint    = coalesce(
      'Its newest versions are ' || v_versions || '.',
      'Register it with tasker.register_task_template(template).'
    );
end;
$$;

comment on function tasker.raise_template_not_found is
$$Raises TK404 for a template, with the existing versions. Raises TK410 if no version was named and all versions are retired.$$;
