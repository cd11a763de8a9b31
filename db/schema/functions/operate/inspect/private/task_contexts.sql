create or replace function tasker.task_contexts()
  returns setof tasker.task_execution_contexts
  language sql
  stable
  parallel safe
begin atomic
  select
    t.task_uuid,
    t.named_task_uuid,
    t.state as status,
    s.total as total_steps,
    s.pending as pending_steps,
    s.running as in_progress_steps,
    s.completed as completed_steps,
    s.failed as failed_steps,
    r.ready_steps_count as ready_steps,
    e.status as execution_status,
    tasker.recommended_action(e.status) as recommended_action,
    case when s.total = 0 then 100 else round(100.0 * (s.completed + s.cancelled) / s.total, 2) end as completion_percentage,
    case
      when t.complete then 'ended'
      when e.status = 'blocked_by_failures' then 'blocked'
      when s.failed + s.retrying > 0 then 'recovering'
      else 'healthy'
    end as health_status,
    s.enqueued as enqueued_steps,
    s.retrying as retrying_steps,
    s.suspended as suspended_steps,
    s.cancelled as cancelled_steps,
    s.exhausted as exhausted_steps
  from tasker.tasks as t
  join tasker.task_readiness() as r
    on r.task_uuid = t.task_uuid
  cross join lateral (
    select
      count(*) as total,
      count(*) filter (where s.state = 'pending') as pending,
      count(*) filter (where s.state = 'enqueued') as enqueued,
      count(*) filter (
        where s.state in ('in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration')
      ) as running,
      count(*) filter (where s.state = 'waiting_for_retry') as retrying,
      count(*) filter (where s.state = 'suspended') as suspended,
      count(*) filter (where s.state in ('complete', 'resolved_manually')) as completed,
      count(*) filter (where s.state = 'cancelled') as cancelled,
      count(*) filter (where s.state = 'error') as failed,
      count(*) filter (
        where s.state = 'error' and not (s.retryable and s.attempts < s.max_attempts)
      ) as exhausted
    from tasker.workflow_steps as s
    where s.task_uuid = t.task_uuid
  ) as s
  cross join lateral (
    select tasker.execution_status(
      t.complete, r.ready_steps_count, s.enqueued + s.running, s.retrying, s.suspended, s.failed, s.pending
    ) as status
  ) as e;
end;

comment on function tasker.task_contexts is
$$Returns the execution contexts of all tasks. Inlined into the statements of its only callers, the execution context
functions, which select the tasks.$$;
