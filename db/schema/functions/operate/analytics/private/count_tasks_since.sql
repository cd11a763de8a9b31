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
declare
  v_ended   tasker.task_state[] := array['complete', 'error', 'cancelled', 'resolved_manually'];
  -- The paths that end a task, and with them the paths that start a task.
  v_endings smallint[] := array(select u.path from tasker.task_log_paths as u where u.to_state = any (v_ended));
  v_counted smallint[] := v_endings || array(select u.path::smallint from tasker.task_log_paths as u where u.event = 'Start');
begin
  -- Group by path and by class of duration first, so that the path is looked up and a power of ten is computed only
  -- once for many rows.
  return query
  select
    c.minute,
    c.named_task_uuid,
    coalesce(sum(c.n) filter (where u.event = 'Start'), 0)::bigint,
    coalesce(sum(c.n) filter (where u.to_state = 'complete'), 0)::bigint,
    coalesce(sum(c.n) filter (where u.to_state = 'error'), 0)::bigint,
    coalesce(sum(c.n) filter (where u.to_state = 'cancelled'), 0)::bigint,
    coalesce(sum(c.n) filter (where u.to_state = 'resolved_manually'), 0)::bigint,
    coalesce(sum(c.steps) filter (where u.to_state = any (v_ended)), 0)::bigint,
    coalesce(sum(c.ms) filter (where u.to_state = 'complete'), 0)::bigint,
    coalesce(sum(c.ms) filter (where u.to_state = any (v_ended)), 0)::bigint,
    (min(c.min_ms) filter (where u.to_state = any (v_ended)))::bigint,
    (max(c.max_ms) filter (where u.to_state = any (v_ended)))::bigint,
    max(c.last_at) filter (where u.to_state = any (v_ended)),
    coalesce(sum(tasker.duration_histogram(c.bin, c.n)) filter (where u.to_state = any (v_ended)), 0)
  from (
    select
      date_trunc('minute', e.created_at) as minute,
      e.named_task_uuid,
      e.path,
      tasker.duration_bin(e.ms) as bin,
      count(*) as n,
      sum(e.total_steps) as steps,
      sum(e.ms) as ms,
      min(e.ms) as min_ms,
      max(e.ms) as max_ms,
      max(e.created_at) as last_at
    from (
      select
        l.created_at,
        l.path,
        t.named_task_uuid,
        t.total_steps,
        -- A task that starts has no duration.
        case when l.path = any (v_endings) then
          greatest(floor(extract(epoch from l.created_at - coalesce(t.started_at, t.requested_at)) * 1000), 0)
        end::bigint as ms
      from tasker.task_log as l
      join tasker.tasks as t
        on t.task_uuid = l.task_uuid
      where l.created_at >= p_since
        and l.path = any (v_counted)
    ) as e
    group by 1, 2, 3, 4
  ) as c
  join tasker.task_log_paths as u
    on u.path = c.path
  where u.event = 'Start'
     or u.to_state = any (v_ended)
  group by c.minute, c.named_task_uuid;
end;
$$;

comment on function tasker.count_tasks_since is
$$Counts from the logs the tasks that started or ended in each minute from p_since on, and their durations, as rows of
tasker.task_rollups.$$;
