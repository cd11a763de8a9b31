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
  v_counts := tasker.count_bound_tasks(p_namespaces, v_counts);
  v_counts := tasker.count_bound_steps(p_namespaces, v_counts);
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
  v_counts := tasker.describe_server(p_namespaces, v_counts);
  v_counts.failing_timers := tasker.count_failing_timers(p_namespaces);
  v_counts.ending_tokens := 0;
  v_counts.rolled_up_until := tasker.clock();
  return next v_counts;
end;
$$;

comment on function tasker.bound_health_counts is
$$Returns the result of tasker.get_system_health_counts for a caller that is bound to these namespaces. Counts the tasks
and steps of these namespaces, and does not read rollups.$$;
