create or replace function tasker.find_tasks_to_reset(
  p_state      tasker.task_state,
  p_namespace  text,
  p_name       text,
  p_version    text,
  p_tags       text[],
  p_from       uuid,
  p_to         uuid,
  p_after      uuid,
  p_limit      integer
)
  returns setof tasker.task_resets
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  -- The query is planned for the given state, because open tasks have an index of their own.
  return query
  select t.task_uuid, n.name, k.name, k.version, t.state, t.failed_steps, t.requested_at, text 'matched'
    from tasker.tasks as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where t.state = p_state
     and (p_state = 'error' or not t.complete)
     and t.erased_at is null
     and (p_namespace is null or n.name = p_namespace)
     and (v_bound is null or n.name = any (v_bound))
     and (p_name is null or k.name = p_name)
     and (p_version is null or k.version = p_version)
     and (p_tags is null or t.tags @> p_tags)
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.task_uuid > p_after
   order by t.task_uuid
   limit p_limit;
end;
$$;

comment on function tasker.find_tasks_to_reset is
$$Returns up to p_limit tasks after p_after, in the order of their UUIDs. The tasks are in state p_state, match all
given filters, and are in namespaces of the caller.

If this state is an open state, reads only open tasks. Otherwise reads all ended tasks from p_from to p_to.$$;
