create or replace function tasker.count_tasks_since(p_since timestamptz)
  returns setof tasker.task_rollups
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set timezone = 'UTC'
as $$
begin
  -- Group by class of duration first: one power of ten for many.
  return query
  select
    c.minute,
    c.named_task_uuid,
    coalesce(sum(c.n) filter (where c.bin is null), 0)::bigint,
    coalesce(sum(c.completed), 0)::bigint,
    coalesce(sum(c.failed), 0)::bigint,
    coalesce(sum(c.cancelled), 0)::bigint,
    coalesce(sum(c.resolved), 0)::bigint,
    coalesce(sum(c.steps), 0)::bigint,
    coalesce(sum(c.completed_ms), 0)::bigint,
    coalesce(sum(c.ms), 0)::bigint,
    min(c.min_ms)::bigint,
    max(c.max_ms)::bigint,
    max(c.last_at),
    coalesce(sum(tasker.duration_histogram(c.bin, c.n)), 0)
  from (
    select
      date_trunc('minute', e.created_at) as minute,
      e.named_task_uuid,
      tasker.duration_bin(e.ms) as bin,
      count(*) as n,
      count(*) filter (where e.to_state = 'complete') as completed,
      count(*) filter (where e.to_state = 'error') as failed,
      count(*) filter (where e.to_state = 'cancelled') as cancelled,
      count(*) filter (where e.to_state = 'resolved_manually') as resolved,
      sum(e.total_steps) filter (where e.ms is not null) as steps,
      sum(e.ms) filter (where e.to_state = 'complete') as completed_ms,
      sum(e.ms) as ms,
      min(e.ms) as min_ms,
      max(e.ms) as max_ms,
      max(e.created_at) filter (where e.ms is not null) as last_at
    from (
      select
        l.created_at,
        l.to_state,
        t.named_task_uuid,
        t.total_steps,
        -- A task that starts has no duration.
        case when l.to_state in ('complete', 'error', 'cancelled', 'resolved_manually') then
          greatest(floor(extract(epoch from l.created_at - coalesce(t.started_at, t.requested_at)) * 1000), 0)
        end::bigint as ms
      from tasker.task_transition_log as l
      join tasker.tasks as t
        on t.task_uuid = l.task_uuid
      where l.created_at >= p_since
        and (l.event = 'Start' or l.to_state in ('complete', 'error', 'cancelled', 'resolved_manually'))
    ) as e
    group by 1, 2, 3
  ) as c
  group by c.minute, c.named_task_uuid;
end;
$$;

comment on function tasker.count_tasks_since is
$$Counts the minutes from that one on from the logs, as rows of tasker.task_rollups: tasks that started or ended, with their durations.$$;
