create or replace function tasker.step_readiness()
  returns setof tasker.step_readiness_status
  language sql
  stable
  parallel safe
begin atomic
  select
    s.workflow_step_uuid,
    s.task_uuid,
    s.named_step_uuid,
    s.name,
    s.state as current_state,
    tasker.join_holds(s.join_mode, p.total, p.total - p.settled, p.satisfied) as dependencies_satisfied,
    tasker.may_be_tried(s.state, s.retryable, s.attempts, s.max_attempts) as retry_eligible,
    tasker.blocking_reason(
      s.state,
      tasker.join_holds(s.join_mode, p.total, p.total - p.settled, p.satisfied),
      tasker.may_be_tried(s.state, s.retryable, s.attempts, s.max_attempts),
      s.next_retry_at,
      coalesce(
        tasker.task_blocking_reason(t.complete, k.on_failure, t.failed_steps, m.due_at, n.paused_at),
        case when s.for_each is not null then 'map_has_no_handler' end
      )
    ) is null as ready_for_execution,
    s.last_failure_at,
    s.next_retry_at,
    p.total as total_parents,
    p.completed as completed_parents,
    s.attempts,
    s.max_attempts as retry_limit,
    s.backoff_request_seconds,
    s.last_attempted_at,
    case
      when s.backoff_request_seconds is not null then s.backoff_request_seconds::numeric
      when s.attempts = 0 then 0
      -- Read the settings once for all steps.
      else tasker.backoff_seconds(
        s.attempts,
        coalesce(s.backoff_base_seconds, (select tasker.setting_numeric('backoff_base'))),
        coalesce(s.backoff_multiplier, (select tasker.setting_numeric('backoff_multiplier'))),
        coalesce(s.max_backoff_seconds, (select tasker.setting_integer('max_backoff_seconds')))
      )
    end as effective_backoff_seconds,
    tasker.blocking_reason(
      s.state,
      tasker.join_holds(s.join_mode, p.total, p.total - p.settled, p.satisfied),
      tasker.may_be_tried(s.state, s.retryable, s.attempts, s.max_attempts),
      s.next_retry_at,
      coalesce(
        tasker.task_blocking_reason(t.complete, k.on_failure, t.failed_steps, m.due_at, n.paused_at),
        case when s.for_each is not null then 'map_has_no_handler' end
      )
    ) as blocking_reason
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  left join tasker.timers as m
    on m.task_uuid = t.task_uuid
   and m.step_no = 0
   and m.kind = 'start_task'
  join tasker.workflow_steps as s
    on s.task_uuid = t.task_uuid
  cross join lateral (
    -- Count all parents, even if only some steps are requested. Count the states of the parents, and do not use the
    -- engine's counters.
    select
      count(*)::integer as total,
      count(*) filter (where o.state in ('complete', 'resolved_manually'))::integer as completed,
      count(*) filter (where o.state in ('complete', 'resolved_manually', 'cancelled'))::integer as settled,
      count(*) filter (
        where case when e.outcome is not null then tasker.outcome_met(e.outcome, o.task_uuid, o.step_no, o.state)
          else o.state in ('complete', 'resolved_manually')
            and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, o.results, o.expansion, o.task_uuid, o.step_no))
        end
      )::integer as satisfied
    from tasker.step_parents(s.task_uuid, t.named_task_uuid, t.has_added_edges, s.step_no) as e
    cross join lateral (
      select o.task_uuid, o.step_no, o.state, o.results, o.expansion
        from tasker.workflow_steps as o
       where o.task_uuid = s.task_uuid
         and o.step_no = e.from_step_no
      offset 0
    ) as o
  ) as p;
end;

comment on function tasker.step_readiness is
$$Returns the readiness of all steps. Inlined into the statements of its only callers, the readiness functions, which
select the tasks.$$;
