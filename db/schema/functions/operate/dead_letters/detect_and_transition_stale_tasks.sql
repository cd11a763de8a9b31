create or replace function tasker.detect_and_transition_stale_tasks(
  p_dry_run                           boolean  default true,
  p_limit                             integer  default null,
  p_waiting_for_dependencies_minutes  integer  default null,
  p_waiting_for_retry_minutes         integer  default null,
  p_steps_in_process_minutes          integer  default null,
  p_other_minutes                     integer  default null
)
  returns setof tasker.stale_task_actions
  language plpgsql
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
  v_uuids uuid[];
begin
  select coalesce(array_agg(s.task_uuid order by s.task_uuid), '{}')
    into v_uuids
    from tasker.get_stale_tasks_for_dlq(
      p_limit, p_waiting_for_dependencies_minutes, p_waiting_for_retry_minutes,
      p_steps_in_process_minutes, p_other_minutes
    ) as s;

  if not coalesce(p_dry_run, true) then
    select coalesce(array_agg(l.task_uuid order by l.task_uuid), '{}')
      into v_uuids
      from (
        select t.task_uuid
          from unnest(v_uuids) as u (task_uuid)
          join tasker.tasks as t
            on t.task_uuid = u.task_uuid
         order by t.task_uuid
           for no key update of t skip locked
      ) as l;
  end if;

  -- Check again in a statement that began after the locks were granted, because a task that moved in the meantime is
  -- not stale.
  return query
  select
    s.task_uuid,
    s.namespace_name,
    s.task_name,
    s.current_state,
    s.minutes_without_progress,
    s.threshold_minutes,
    s.dlq_reason,
    case
      when coalesce(p_dry_run, true) then 'would_transition_to_dlq_and_error'
      else 'transitioned_to_dlq_and_error'
    end,
    case when not coalesce(p_dry_run, true) then tasker.fail_stale_task(
      s.task_uuid, s.dlq_reason,
      format('%s for %s minutes without progress', s.current_state, floor(s.minutes_without_progress))
    ) end
  from unnest(v_uuids) as u (task_uuid)
  join tasker.open_task_staleness(
      p_waiting_for_dependencies_minutes, p_waiting_for_retry_minutes, p_steps_in_process_minutes, p_other_minutes
    ) as s
    on s.task_uuid = u.task_uuid
  where s.health_status = 'stale'
  order by u.task_uuid;
end;
$$;

comment on function tasker.detect_and_transition_stale_tasks is
$$Moves stale tasks (the rows of get_stale_tasks_for_dlq) to the state "error" with the event "Timeout", and writes for
each task an entry into the dead-letter queue, with a snapshot of the task. A dry run, which is the default, only
returns the tasks that the function would move.

Each call moves up to p_limit tasks (default 100). Steps in the pipeline fail with the task, so that a reset of the task
brings them back. Locks the tasks in the order of their UUIDs. Skips tasks that another transaction has locked. Raises
TK422 for a limit or a threshold out of range.$$;

grant execute on function tasker.detect_and_transition_stale_tasks
  to tasker_orchestrator, tasker_operator;
