create or replace function tasker.object_namespaces(p_kind text, p_row jsonb)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when p_kind = 'task_namespaces' then array[p_row ->> 'name']
    when p_kind = 'named_tasks' then (
      select array[n.name] from tasker.task_namespaces as n where n.task_namespace_uuid = (p_row ->> 'task_namespace_uuid')::uuid
    )
    when p_row ? 'namespace' then array[p_row ->> 'namespace']
    when jsonb_typeof(p_row -> 'namespaces') = 'array' then array(select jsonb_array_elements_text(p_row -> 'namespaces'))
  end;
end;
$$;

comment on function tasker.object_namespaces is
$$Returns the namespaces that an administered object belongs to, or null if the object concerns all namespaces.$$;
