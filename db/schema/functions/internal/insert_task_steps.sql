create or replace function tasker.insert_task_steps(
  p_task_uuids       uuid[],
  p_named_task_uuid  uuid,
  p_priority         integer,
  p_namespace        text,
  p_started          boolean
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now timestamptz := tasker.clock();
begin
  insert into tasker.workflow_steps (
    task_uuid, step_no, named_step_uuid, name, state, join_mode, total_parents, pending_parents, max_attempts,
    retryable, priority, transition_count, timeout_seconds, backoff_base_seconds, backoff_multiplier,
    max_backoff_seconds, created_at, inputs
  )
  select
    u.task_uuid, s.step_no, s.named_step_uuid, s.step_name,
    case when p_started and s.total_parents = 0 then 'enqueued' else 'pending' end::tasker.step_state,
    s.join_mode, s.total_parents, s.total_parents, s.max_attempts,
    s.retryable, s.priority + p_priority, (p_started and s.total_parents = 0)::integer, s.timeout_seconds,
    s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds, v_now, s.initialization
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.named_tasks_named_steps as s
  where s.named_task_uuid = p_named_task_uuid;

  if not p_started then
    return;
  end if;

  insert into tasker.workflow_step_transition_log (
    task_uuid, step_no, sort_key, event, from_state, to_state, created_at
  )
  select
    u.task_uuid, s.step_no, 1, 'Enqueue', 'pending', 'enqueued', v_now
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.template_roots(p_named_task_uuid) as s;

  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
  select
    u.task_uuid, s.step_no, p_namespace, tasker.step_lane('enqueued', s.priority + p_priority),
    s.named_step_uuid, v_now
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.template_roots(p_named_task_uuid) as s;
end;
$$;

comment on function tasker.insert_task_steps(uuid[], uuid, integer, text, boolean) is
$$Gives new tasks their steps from the template, whose edges are theirs without a copy; of tasks that start at once the roots are enqueued: state, log and queue row.$$;

revoke all on function tasker.insert_task_steps(uuid[], uuid, integer, text, boolean) from public;
