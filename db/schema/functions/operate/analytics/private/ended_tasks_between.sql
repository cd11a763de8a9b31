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
    tasker.partition_suffix_of(c.partition, 'task_transition_log'),
    c.named_task_uuid,
    p_settled,
    c.started, c.completed, c.failed, c.cancelled, c.resolved, c.reset
  from (
    select
      l.tableoid as partition,
      t.named_task_uuid,
      count(*) filter (where l.event = 'Start') as started,
      count(*) filter (where l.to_state = 'complete') as completed,
      count(*) filter (where l.to_state = 'error') as failed,
      count(*) filter (where l.to_state = 'cancelled') as cancelled,
      count(*) filter (where l.to_state = 'resolved_manually') as resolved,
      count(*) filter (where l.event = 'Reset') as reset
    from tasker.task_transition_log as l
    join tasker.tasks as t
      on t.task_uuid = l.task_uuid
    where l.created_at >= p_since
      and l.created_at < p_until
      and (l.event in ('Start', 'Reset') or l.to_state in ('complete', 'error', 'cancelled', 'resolved_manually'))
    group by 1, 2
  ) as c;
end;
$$;

comment on function tasker.ended_tasks_between is
$$Returns the outcomes of tasks in a period, by partition and template, as rows of tasker.task_totals.$$;
