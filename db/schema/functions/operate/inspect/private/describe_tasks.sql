create or replace function tasker.describe_tasks(p_task_uuids uuid[])
  returns setof tasker.task_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select
    t.task_uuid, n.name, k.name, k.version, t.state, t.complete, t.priority,
    t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps,
    t.requested_at, t.updated_at, t.started_at, t.completed_at, t.deadline, t.processor_uuid,
    t.correlation_id, t.parent_correlation_id, t.initiator, t.source_system, t.reason,
    t.tags, t.headers, null::jsonb, t.parent_step_uuid, t.depth,
    nullif(t.undo, '{}'), tasker.task_is_blocked(t.state, k.on_failure, t.undo), t.erased_at, tasker.task_is_held(t.task_uuid)
  from unnest(p_task_uuids) as u (task_uuid)
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
  where v_bound is null or n.name = any (v_bound)
  order by t.task_uuid desc;
end;
$$;

comment on function tasker.describe_tasks is
$$Returns, of these tasks, the existing tasks that the caller may see, newest first, without their contexts.$$;
