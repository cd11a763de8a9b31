create or replace function tasker.get_stale_tasks_for_dlq(
  p_limit                             integer  default null,
  p_waiting_for_dependencies_minutes  integer  default null,
  p_waiting_for_retry_minutes         integer  default null,
  p_steps_in_process_minutes          integer  default null,
  p_other_minutes                     integer  default null
)
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
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_page_size(p_limit);
  if least(
    p_waiting_for_dependencies_minutes, p_waiting_for_retry_minutes, p_steps_in_process_minutes, p_other_minutes
  ) < 1 then
    raise exception using
      errcode = 'TK422',
      message = 'a threshold is less than a minute',
      hint    = 'Thresholds are whole minutes above 0; null means the setting.';
  end if;

  return query
  select s.*
    from tasker.open_task_staleness(
      p_waiting_for_dependencies_minutes, p_waiting_for_retry_minutes, p_steps_in_process_minutes, p_other_minutes
    ) as s
   where s.health_status = 'stale'
     and (v_bound is null or s.namespace_name = any (v_bound))
   order by s.progress_at, s.task_uuid
   limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.get_stale_tasks_for_dlq is
$$Returns the open tasks that have made no progress for too long and for which nothing is due, the task that has made no
progress for longest first. detect_and_transition_stale_tasks acts on these tasks. A bound caller sees only its own
namespaces.

The template's lifecycle for the state defines "too long". If it does not, the arguments define it, or else the setting.
Something is due for a task if it has a live lease, a future start or retry, a paused namespace, or a handler that is
busy with steps of other tasks.

Returns at most p_limit rows (default 100). Raises TK422 for a limit or a threshold out of range.$$;

grant execute on function tasker.get_stale_tasks_for_dlq
  to tasker_orchestrator, tasker_operator, tasker_reader;
