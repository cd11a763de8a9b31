create or replace function tasker.staleness_reason(p_task_uuid uuid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_enqueued  boolean;
  v_exhausted boolean;
  v_movable   boolean;
begin
  select
    coalesce(bool_or(s.state in ('enqueued', 'in_progress')), false),
    coalesce(bool_or(s.state = 'error' and not (s.retryable and s.attempts < s.max_attempts)), false),
    -- In a graph without a cycle whose open steps have not failed, at least one open step has only settled parents.
    coalesce(bool_or(s.state <> 'pending' and not d.settles_dependencies), false)
      or coalesce(bool_or(s.state = 'pending' and s.pending_parents = 0), false)
      or coalesce(bool_and(d.settles_dependencies), true)
    into v_enqueued, v_exhausted, v_movable
    from tasker.workflow_steps as s
    join tasker.step_states as d
      on d.state = s.state
   where s.task_uuid = p_task_uuid;

  return case
    when v_enqueued then 'worker_unavailable'
    when v_exhausted then 'max_retries_exceeded'
    when not v_movable then 'dependency_cycle_detected'
    else 'staleness_timeout'
  end;
end;
$$;

comment on function tasker.staleness_reason is
$$Returns why a task makes no progress, as a reason of tasker.tasks_dlq. Either no worker claims an enqueued step, or a
step has used up its attempts, or steps wait for one another in a cycle, or there is another reason.$$;
