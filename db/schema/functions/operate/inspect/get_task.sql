create or replace function tasker.get_task(p_task_uuid uuid)
  returns setof tasker.task_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_bound(p_task_uuid);
  return query
  select
    t.task_uuid, n.name, k.name, k.version, t.state, t.complete, t.priority,
    t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps,
    t.requested_at, t.updated_at, t.started_at, t.completed_at, t.deadline, t.processor_uuid,
    t.correlation_id, t.parent_correlation_id, t.initiator, t.source_system, t.reason,
    t.tags, t.headers, t.context, t.parent_step_uuid, t.depth,
    nullif(t.undo, '{}'), tasker.task_is_blocked(t.state, k.on_failure, t.undo), t.erased_at, tasker.task_is_held(t.task_uuid)
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  where t.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_task is
$$Returns a task with its template, state, counters, times and context. Raises TK404 if there is no such task, and TK403
if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
