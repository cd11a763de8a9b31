create or replace function tasker.count_open_work(p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_counts tasker.system_health_counts := p_counts;
begin
  select
    coalesce(sum(o.tasks) filter (where o.state = 'pending'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'initializing'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'enqueuing_steps'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'steps_in_process'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'evaluating_results'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'waiting_for_dependencies'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'waiting_for_retry'), 0),
    coalesce(sum(o.tasks) filter (where o.state = 'blocked_by_failures'), 0),
    coalesce(sum(o.tasks), 0),
    coalesce(sum(o.open_steps - o.active_steps - o.retrying_steps - o.suspended_steps), 0),
    coalesce(sum(o.retrying_steps), 0),
    coalesce(sum(o.suspended_steps), 0)
  into
    v_counts.pending_tasks, v_counts.initializing_tasks, v_counts.enqueuing_steps_tasks, v_counts.steps_in_process_tasks,
    v_counts.evaluating_results_tasks, v_counts.waiting_for_dependencies_tasks, v_counts.waiting_for_retry_tasks,
    v_counts.blocked_by_failures_tasks, v_counts.total_tasks, v_counts.pending_steps, v_counts.waiting_for_retry_steps,
    v_counts.suspended_steps
  from tasker.count_open_tasks() as o;

  select
    count(*) filter (where q.lane not in ('running', 'results')),
    count(*) filter (where q.lane = 'running'),
    count(*) filter (where q.lane = 'results')
  into v_counts.enqueued_steps, v_counts.in_progress_steps, v_counts.enqueued_for_orchestration_steps
  from tasker.step_queue as q;
  v_counts.enqueued_as_error_for_orchestration_steps := (
    select count(*)
      from tasker.step_queue as q
      join tasker.workflow_steps as s
        on s.task_uuid = q.task_uuid
       and s.step_no = q.step_no
     where q.lane = 'results'
       and s.state = 'enqueued_as_error_for_orchestration'
  );
  v_counts.enqueued_for_orchestration_steps :=
    v_counts.enqueued_for_orchestration_steps - v_counts.enqueued_as_error_for_orchestration_steps;
  v_counts.total_steps := v_counts.pending_steps + v_counts.enqueued_steps + v_counts.in_progress_steps
    + v_counts.enqueued_for_orchestration_steps + v_counts.enqueued_as_error_for_orchestration_steps
    + v_counts.waiting_for_retry_steps + v_counts.suspended_steps;
  return v_counts;
end;
$$;

comment on function tasker.count_open_work is
$$Returns p_counts with the numbers of open tasks and steps, which are also counted in the totals. Finds open tasks
through their partial index, and counts open steps from the counters of the tasks and from the queue.$$;
