create or replace function tasker.count_bound_steps(p_namespaces text[], p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_counts tasker.system_health_counts := p_counts;
begin
  select
    count(*) filter (where s.state = 'pending'),
    count(*) filter (where s.state = 'enqueued'),
    count(*) filter (where s.state = 'in_progress'),
    count(*) filter (where s.state = 'enqueued_for_orchestration'),
    count(*) filter (where s.state = 'enqueued_as_error_for_orchestration'),
    count(*) filter (where s.state = 'waiting_for_retry'),
    count(*) filter (where s.state = 'suspended'),
    count(*) filter (where s.state = 'complete'),
    count(*) filter (where s.state = 'error'),
    count(*) filter (where s.state = 'cancelled'),
    count(*) filter (where s.state = 'resolved_manually'),
    count(*),
    coalesce(sum(greatest(s.attempts - 1, 0)), 0),
    coalesce(sum(s.lost_count), 0)
  into
    v_counts.pending_steps, v_counts.enqueued_steps, v_counts.in_progress_steps, v_counts.enqueued_for_orchestration_steps,
    v_counts.enqueued_as_error_for_orchestration_steps, v_counts.waiting_for_retry_steps, v_counts.suspended_steps, v_counts.complete_steps,
    v_counts.error_steps, v_counts.cancelled_steps, v_counts.resolved_manually_steps, v_counts.total_steps,
    v_counts.retries_total, v_counts.lost_leases_total
  from tasker.task_namespaces as n
  join tasker.named_tasks as k
    on k.task_namespace_uuid = n.task_namespace_uuid
  join tasker.tasks as t
    on t.named_task_uuid = k.named_task_uuid
  join tasker.workflow_steps as s
    on s.task_uuid = t.task_uuid
  where n.name = any (p_namespaces);
  return v_counts;
end;
$$;

comment on function tasker.count_bound_steps is
$$Returns p_counts with the numbers of the steps of these namespaces, of their retries and of their lost leases.$$;
