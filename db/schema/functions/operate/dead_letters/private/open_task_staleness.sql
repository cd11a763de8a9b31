create or replace function tasker.open_task_staleness(
  p_waiting_for_dependencies  integer,
  p_waiting_for_retry         integer,
  p_steps_in_process          integer,
  p_other                     integer
)
  returns setof tasker.task_staleness
  language sql
  stable
  parallel safe
begin atomic
  select
    t.task_uuid,
    n.name as namespace_name,
    k.name as task_name,
    k.version as task_version,
    t.state as current_state,
    t.priority,
    t.requested_at,
    -- This expression is evaluated only if the column is selected.
    coalesce(
      (
        select l.created_at
          from tasker.task_log as l
         where l.task_uuid = t.task_uuid
           and l.sort_key = t.transition_count
      ),
      t.requested_at
    ) as in_state_since,
    p.at as progress_at,
    round(extract(epoch from tasker.clock() - coalesce(
      (
        select l.created_at
          from tasker.task_log as l
         where l.task_uuid = t.task_uuid
           and l.sort_key = t.transition_count
      ),
      t.requested_at
    )) / 60, 2) as time_in_state_minutes,
    round(extract(epoch from tasker.clock() - p.at) / 60, 2) as minutes_without_progress,
    round(extract(epoch from tasker.clock() - t.requested_at) / 60, 2) as task_age_minutes,
    h.minutes as threshold_minutes,
    w.what as waits_for,
    case
      when w.what is not null or p.at > tasker.clock() - h.minutes * interval '48 seconds' then 'healthy'
      when p.at > tasker.clock() - h.minutes * interval '1 minute' then 'warning'
      else 'stale'
    end as health_status,
    case
      when w.what is null and p.at <= tasker.clock() - h.minutes * interval '1 minute'
      then tasker.staleness_reason(t.task_uuid)
    end as dlq_reason
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral (
    -- The threshold of the template takes precedence over the caller's, and the caller's over the settings.
    select tasker.staleness_threshold(
      t.state,
      coalesce(k.max_waiting_for_dependencies_minutes, p_waiting_for_dependencies),
      coalesce(k.max_waiting_for_retry_minutes, p_waiting_for_retry),
      coalesce(k.max_steps_in_process_minutes, p_steps_in_process),
      p_other
    ) as minutes
  ) as h
  cross join lateral (
    -- Read the steps only if the task itself has not changed for long.
    select greatest(
      t.updated_at,
      case when t.updated_at <= tasker.clock() - h.minutes * interval '48 seconds' then (
        select max(s.last_attempted_at)
          from tasker.workflow_steps as s
         where s.task_uuid = t.task_uuid
      ) end
    ) as at
  ) as p
  cross join lateral (
    select case when p.at <= tasker.clock() - h.minutes * interval '48 seconds' then
      case
        when n.paused_at is not null then 'namespace_paused'
        when exists (
          select
            from tasker.step_queue as q
           where q.task_uuid = t.task_uuid
             and q.visible_at > tasker.clock()
        ) then 'lease'
        when exists (
          select
            from tasker.timers as m
           where m.task_uuid = t.task_uuid
             and m.kind <> 'task_deadline'
             and m.due_at > tasker.clock()
        ) then 'timer'
        when t.suspended_steps > 0 then 'wait'
        when tasker.is_undone(t.undo) then 'undo'
        when exists (
          select
            from tasker.step_queue as q
            join tasker.step_queue as o
              on o.namespace = q.namespace
             and o.lane = 'running'
             and o.visible_at > tasker.clock()
             and o.named_step_uuid = q.named_step_uuid
           where q.task_uuid = t.task_uuid
             and q.lane not in ('running', 'results')
        ) then 'backlog'
      end
    end as what
  ) as w
  where not t.complete;
end;

comment on function tasker.open_task_staleness is
$$Returns how long each open task has made no progress, and whether it is stale. Inlined into the statements of its only
callers, the staleness functions.

Reads the open tasks through their partial index. Reads more rows of a task only if the task is near its threshold.$$;
