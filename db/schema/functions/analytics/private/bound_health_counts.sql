create or replace function tasker.bound_health_counts(p_namespaces text[])
  returns setof tasker.system_health_counts
  language plpgsql
  stable
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_counts tasker.system_health_counts;
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
    select count(*) as tasks, extract(epoch from tasker.clock() - min(w.waiting_since)) as seconds
      from counted as c
      join tasker.waiting_tasks as w
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

  v_counts.pending_dlq_entries := (
    select count(*)
      from tasker.tasks_dlq as d
     where d.resolution_status = 'pending'
       and d.task_snapshot #>> '{task,namespace}' = any (p_namespaces)
  );
  select count(*) filter (where not t.complete), count(*) filter (where t.complete)
    into v_counts.kept_signals, v_counts.unused_signals
    from (
      select g.task_uuid
        from tasker.task_signals as g
        join tasker.tasks as t
          on t.task_uuid = g.task_uuid
        join tasker.named_tasks as k
          on k.named_task_uuid = t.named_task_uuid
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where g.step_no is null
         and n.name = any (p_namespaces)
       order by g.task_uuid desc
       limit 10000
    ) as g
    join tasker.tasks as t
      on t.task_uuid = g.task_uuid;
  v_counts.active_connections := (select coalesce(sum(d.numbackends), 0) from pg_stat_database as d);
  v_counts.max_connections := current_setting('max_connections');
  v_counts.partitions_until := (select max(r.ends_at) from tasker.partition_ranges as r);
  v_counts.oldest_transaction_seconds :=
    coalesce(extract(epoch from clock_timestamp() - tasker.oldest_transaction()), 0);
  v_counts.rolled_up_until := tasker.clock();
  v_counts.standby := pg_is_in_recovery();
  v_counts.standby_lag_seconds := tasker.standby_lag();
  v_counts.diverged_steps := tasker.count_diverged_steps(p_namespaces);
  return next v_counts;
end;
$$;

comment on function tasker.bound_health_counts(text[]) is
$$Returns the result of tasker.get_system_health_counts for a caller that is bound to these namespaces. It counts their tasks and steps instead of reading rollups.$$;

revoke all on function tasker.bound_health_counts(text[]) from public;
