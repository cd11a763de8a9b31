create or replace function tasker.results_are_deferred(p_task_uuids uuid[])
  returns boolean[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Most databases have no such namespace, so most calls need not read the tasks.
  if not exists (select from tasker.task_namespaces as n where n.result_mode = 'deferred') then
    return array_fill(false, array[cardinality(p_task_uuids)]);
  end if;

  return (
    select array_agg(coalesce(d.deferred, false) order by u.position)
      from unnest(p_task_uuids) with ordinality as u (task_uuid, position)
      left join lateral (
        select n.result_mode = 'deferred' as deferred
          from tasker.tasks as t
          join tasker.named_tasks as k
            on k.named_task_uuid = t.named_task_uuid
          join tasker.task_namespaces as n
            on n.task_namespace_uuid = k.task_namespace_uuid
         where t.task_uuid = u.task_uuid
        offset 0
      ) as d
        on true
  );
end;
$$;

comment on function tasker.results_are_deferred is
$$Returns for each task whether an orchestrator processes its steps' results, instead of the worker's own call.$$;
