create or replace function tasker.describe_erasures(p_root_uuids uuid[], p_children boolean)
  returns setof tasker.task_erasures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_root uuid;
begin
  foreach v_root in array p_root_uuids loop
    return query
    select t.task_uuid, n.name, k.name, k.version, t.state, t.total_steps, t.requested_at, v_root, text 'matched'
      from (
        select v_root as task_uuid
        union all
        select b.task_uuid from tasker.tasks_below(array[v_root]) as b (task_uuid) where p_children
      ) as u
     cross join lateral (
       select t.*
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
       offset 0
     ) as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     order by t.task_uuid;
  end loop;
end;
$$;

comment on function tasker.describe_erasures is
$$Returns a row of outcomes for each of these tasks and, with p_children, for each of the tasks below them, before they
are erased.$$;
