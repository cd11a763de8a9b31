create or replace function tasker.task_readiness()
  returns setof tasker.ready_tasks
  language sql
  stable
  parallel safe
begin atomic
  select
    t.task_uuid,
    k.name as task_name,
    t.priority,
    n.name as namespace_name,
    s.ready as ready_steps_count,
    tasker.computed_task_priority(
      t.priority, n.priority_modifier, coalesce(w.waiting_since, m.due_at, t.requested_at),
      s.retries, t.requested_at, t.deadline
    ) as computed_priority,
    t.state as current_state
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  left join tasker.waiting_tasks as w
    on w.task_uuid = t.task_uuid
  cross join lateral (
    select
      min(m.due_at) filter (where m.due_at <= tasker.clock()) as due_at,
      max(m.due_at) filter (where m.kind = 'start_task') as starts_at
    from tasker.timers as m
    where m.task_uuid = t.task_uuid
      and m.kind <> 'task_deadline'
  ) as m
  cross join lateral (
    -- Use the engine's counters, because deriving readiness from the parents costs ten times as much. A property test
    -- checks that both give the same result.
    select
      count(*) filter (
        where tasker.blocking_reason(
          s.state,
          tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents),
          tasker.may_be_tried(s.state, s.retryable, s.attempts, s.max_attempts),
          s.next_retry_at,
          tasker.task_blocking_reason(t.complete, k.on_failure, t.failed_steps, m.starts_at, n.paused_at)
        ) is null
      ) as ready,
      coalesce(sum(greatest(s.attempts - 1, 0) + (s.state = 'waiting_for_retry')::integer), 0) as retries
    from tasker.workflow_steps as s
    where s.task_uuid = t.task_uuid
  ) as s;
end;

comment on function tasker.task_readiness is
$$Returns the readiness of all tasks. Inlined into the statements of its only callers, the discovery functions, which
select the tasks.$$;
