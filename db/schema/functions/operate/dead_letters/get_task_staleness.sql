create or replace function tasker.get_task_staleness(p_health_status text default null, p_limit integer default null)
  returns setof tasker.task_staleness
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bound        text[]  := tasker.bound_namespaces();
  v_dependencies integer := tasker.setting_integer('stale_waiting_for_dependencies_minutes');
  v_retry        integer := tasker.setting_integer('stale_waiting_for_retry_minutes');
  v_process      integer := tasker.setting_integer('stale_steps_in_process_minutes');
  v_other        integer := tasker.setting_integer('stale_other_minutes');
begin
  if p_health_status not in ('healthy', 'warning', 'stale') then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a health status of tasks', left(p_health_status, 100)),
      hint    = 'A status is healthy, warning or stale.';
  end if;
  perform tasker.check_page_size(p_limit);

  -- Settings are read once, not for each task.
  return query
  select s.*
    from tasker.open_task_staleness(v_dependencies, v_retry, v_process, v_other) as s
   where s.health_status = coalesce(p_health_status, s.health_status)
     and (v_bound is null or s.namespace_name = any (v_bound))
   order by s.progress_at, s.task_uuid
   limit coalesce(p_limit, 10000);
end;
$$;

comment on function tasker.get_task_staleness is
$$Returns the open tasks, the task that has made no progress for longest first, with their state, times, threshold and
next due time. Each row says whether the task is healthy, near its threshold or stale. With p_health_status, returns
only tasks of this health. A bound caller sees only its own namespaces.

Returns at most p_limit rows (default and maximum: 10,000). Raises TK422 for an unknown status or a limit out of range.$$;

grant execute on function tasker.get_task_staleness
  to tasker_orchestrator, tasker_operator, tasker_reader;
