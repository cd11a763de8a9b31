create or replace function tasker.ended_tasks_between(p_since timestamptz, p_until timestamptz, p_settled boolean)
  returns setof tasker.task_totals
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    tasker.partition_suffix_of(c.partition, 'task_log'),
    c.named_task_uuid,
    p_settled,
    c.started, c.completed, c.failed, c.cancelled, c.resolved, c.reset
  from (
    -- Count the paths first, and look up the meaning of each path once for many rows.
    select
      n.partition,
      n.named_task_uuid,
      coalesce(sum(n.rows) filter (where u.event = 'Start'), 0)::bigint as started,
      (coalesce(sum(n.rows) filter (where u.to_state = 'complete'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'complete'), 0))::bigint as completed,
      coalesce(sum(n.rows) filter (where u.to_state = 'error'), 0)::bigint as failed,
      coalesce(sum(n.rows) filter (where u.to_state = 'cancelled'), 0)::bigint as cancelled,
      coalesce(sum(n.rows) filter (where u.to_state = 'resolved_manually'), 0)::bigint as resolved,
      coalesce(sum(n.rows) filter (where u.from_state = 'error'), 0)::bigint as reset
    from (
      select l.tableoid as partition, t.named_task_uuid, l.path, count(*) as rows
        from tasker.task_log as l
        join tasker.tasks as t
          on t.task_uuid = l.task_uuid
       where l.created_at >= p_since
         and l.created_at < p_until
       group by 1, 2, 3
    ) as n
    join tasker.task_log_paths as u
      on u.path = n.path
    where u.event in ('Start', 'Reset', 'Rerun') or u.to_state in ('complete', 'error', 'cancelled', 'resolved_manually')
    group by 1, 2
  ) as c;
end;
$$;

comment on function tasker.ended_tasks_between is
$$Returns the outcomes of tasks in a period, counted by partition and template, as rows of tasker.task_totals.$$;
