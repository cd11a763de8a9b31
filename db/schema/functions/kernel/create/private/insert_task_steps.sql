create or replace function tasker.insert_task_steps(
  p_task_uuid        uuid,
  p_named_task_uuid  uuid,
  p_namespace        text,
  p_at               timestamptz,
  p_priority         integer
)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, join_mode, total_parents, pending_parents, max_attempts,
    retryable, priority, transition_count, timeout_seconds, backoff_base_seconds, backoff_multiplier, max_backoff_seconds, created_at,
    inputs, await, for_each, limit_no, limit_key, compensate_uuid, effects
  )
  select
    p_task_uuid, s.step_no, tasker.step_uuid(p_task_uuid, s.step_no), s.named_step_uuid, s.step_name,
    case
      when s.total_parents > 0 or s.for_each is not null then 'pending'::tasker.step_state
      when s.await is null then 'enqueued'
      else 'suspended'
    end,
    s.join_mode, s.total_parents, s.total_parents, s.max_attempts, s.retryable, s.priority + p_priority,
    case when s.total_parents > 0 or s.for_each is not null then 0 else 1 end,
    s.timeout_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds, p_at, s.initialization,
    s.await, s.for_each, s.limit_no,
    case when s.limit_no is not null then tasker.limit_key_in(p_task_uuid, s.limit_key, s.initialization) end,
    s.compensate_uuid, s.effects
  from tasker.named_tasks_named_steps as s
  where s.named_task_uuid = p_named_task_uuid;

  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
  select p_task_uuid, s.step_no, p_namespace, tasker.step_lane('enqueued', s.priority + p_priority), s.named_step_uuid, p_at
    from tasker.named_tasks_named_steps as s
   where s.named_task_uuid = p_named_task_uuid
     and s.total_parents = 0
     and s.await is null
     and s.for_each is null;

  -- 1: enqueued, 13: suspended.
  insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
  select p_task_uuid, s.step_no, 1, case when s.await is null then 1 else 13 end, p_at
    from tasker.named_tasks_named_steps as s
   where s.named_task_uuid = p_named_task_uuid
     and s.total_parents = 0
     and s.for_each is null;
end;
$$;

comment on function tasker.insert_task_steps is
$$Inserts the steps of a new task that starts at once, from the template: by key, as tasker.insert_steps by set, but claims none of them. Its root steps are enqueued, or suspended without a handler, or pending if they are maps: state, queue row and log. tasker.roots_born follows.$$;
