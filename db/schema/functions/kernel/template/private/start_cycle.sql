create or replace function tasker.start_cycle(p_namespace text, p_name text)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    -- Visit each pair of templates only once, because there may be many paths between them.
    with recursive started (namespace, name, by) as (
      select p_namespace, p_name, null
      union
      select x.namespace, x.name, s.namespace || '/' || s.name
        from started as s
       cross join lateral (
         select coalesce(c.await #>> '{task,namespace}', n.name) as namespace, c.await #>> '{task,name}' as name
           from tasker.task_namespaces as n
           join tasker.named_tasks as k
             on k.task_namespace_uuid = n.task_namespace_uuid
           join tasker.named_tasks_named_steps as c
             on c.named_task_uuid = k.named_task_uuid
          where n.name = s.namespace
            and k.name = s.name
            and k.retired_at is null
            and c.await ? 'task'
       ) as x
    )
    select s.by
      from started as s
     where s.namespace = p_namespace
       and s.name = p_name
       and s.by is not null
     limit 1
  );
end;
$$;

comment on function tasker.start_cycle is
$$If tasks of this template can lead to further tasks of this template, returns the template whose steps start them, which may be the template itself. Otherwise returns null.$$;
