create or replace function tasker.count_bound_tasks(p_namespaces text[], p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_counts tasker.system_health_counts := p_counts;
begin
  with counted as (
    select t.state, t.complete, t.task_uuid
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where n.name = any (p_namespaces)
  ),
  waiting as (
    select count(*) as tasks, extract(epoch from tasker.clock() - min(w.since)) as seconds
      from counted as c
      join (
        select w.task_uuid, w.waiting_since as since from tasker.waiting_tasks as w
        union all
        select m.task_uuid, m.due_at from tasker.timers as m where m.kind = 'advance_task' and m.due_at <= tasker.clock()
      ) as w
        on w.task_uuid = c.task_uuid
  )
  select
    count(*) filter (where c.state = 'pending'),
    count(*) filter (where c.state = 'initializing'),
    count(*) filter (where c.state = 'enqueuing_steps'),
    count(*) filter (where c.state = 'steps_in_process'),
    count(*) filter (where c.state = 'evaluating_results'),
    count(*) filter (where c.state = 'waiting_for_dependencies'),
    count(*) filter (where c.state = 'waiting_for_retry'),
    count(*) filter (where c.state = 'blocked_by_failures'),
    count(*) filter (where c.state = 'complete'),
    count(*) filter (where c.state = 'error'),
    count(*) filter (where c.state = 'cancelled'),
    count(*) filter (where c.state = 'resolved_manually'),
    count(*),
    min(w.tasks),
    coalesce(min(w.seconds), 0)
  into
    v_counts.pending_tasks, v_counts.initializing_tasks, v_counts.enqueuing_steps_tasks, v_counts.steps_in_process_tasks,
    v_counts.evaluating_results_tasks, v_counts.waiting_for_dependencies_tasks, v_counts.waiting_for_retry_tasks,
    v_counts.blocked_by_failures_tasks, v_counts.complete_tasks, v_counts.error_tasks, v_counts.cancelled_tasks,
    v_counts.resolved_manually_tasks, v_counts.total_tasks, v_counts.waiting_tasks, v_counts.oldest_waiting_seconds
  from waiting as w
  left join counted as c
    on true;
  -- Without tasks the left join still returns one row.
  v_counts.total_tasks := v_counts.pending_tasks + v_counts.initializing_tasks + v_counts.enqueuing_steps_tasks
    + v_counts.steps_in_process_tasks + v_counts.evaluating_results_tasks + v_counts.waiting_for_dependencies_tasks
    + v_counts.waiting_for_retry_tasks + v_counts.blocked_by_failures_tasks + v_counts.complete_tasks
    + v_counts.error_tasks + v_counts.cancelled_tasks + v_counts.resolved_manually_tasks;
  return v_counts;
end;
$$;

comment on function tasker.count_bound_tasks is
$$Returns p_counts with the numbers of the tasks of these namespaces and of their tasks that wait for an orchestrator.$$;
