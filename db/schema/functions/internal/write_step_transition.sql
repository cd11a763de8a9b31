create or replace function tasker.write_step_transition(
  p_step            tasker.workflow_steps,
  p_event           text,
  p_to_state        tasker.step_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns tasker.workflow_steps
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_lease interval;
  v_wait  interval;
  v_step  tasker.workflow_steps;
begin
  if p_to_state = 'in_progress' then
    v_lease := make_interval(secs => tasker.setting_integer('lease_seconds'));
  elsif p_to_state = 'waiting_for_retry' then
    v_wait := make_interval(secs => coalesce(
      (p_metadata ->> 'backoff_seconds')::integer,
      p_step.backoff_request_seconds,
      tasker.calculate_backoff_delay(
        p_step.attempts, p_step.backoff_base_seconds, p_step.backoff_multiplier, p_step.max_backoff_seconds
      ) * (1 - tasker.setting_numeric('backoff_jitter') * random()::numeric)
    )::double precision);
  end if;

  update tasker.workflow_steps as s
     set state             = p_to_state,
         transition_count  = s.transition_count + 1,
         next_retry_at     = v_now + v_wait,
         lease_until       = v_now + v_lease,
         claim_no          = s.claim_no + (p_event = 'Start')::integer,
         worker_uuid       = case when p_event = 'Start' then p_processor_uuid else s.worker_uuid end,
         last_attempted_at = case when p_event = 'Start' then v_now else s.last_attempted_at end,
         attempts          = case
           when p_event = 'Start' then s.attempts + 1
           when p_event in ('Release', 'LeaseExpired') then greatest(s.attempts - 1, 0)
           when s.state = 'error' and p_to_state = 'pending' then 0
           else s.attempts
         end,
         lost_count        = case
           when p_event = 'LeaseExpired' then s.lost_count + 1
           when s.state = 'error' and p_to_state = 'pending' then 0
           else s.lost_count
         end,
         backoff_request_seconds = case
           when p_to_state = 'enqueued_as_error_for_orchestration' then (p_metadata ->> 'backoff_seconds')::integer
           when p_to_state = 'pending' then null
           else s.backoff_request_seconds
         end,
         last_failure_at   = case
           when p_to_state = 'enqueued_as_error_for_orchestration' or (p_to_state = 'error' and s.last_failure_at is null)
           then v_now else s.last_failure_at
         end,
         last_error        = coalesce(p_metadata ->> 'error', s.last_error),
         results           = coalesce(p_metadata -> 'results', s.results),
         processed_at      = case when p_to_state in ('complete', 'resolved_manually') then v_now end
   where s.task_uuid = p_step.task_uuid
     and s.step_no = p_step.step_no
  returning s.* into v_step;

  insert into tasker.workflow_step_transition_log (
    task_uuid, step_no, sort_key, event, from_state, to_state, claim_no,
    execution_time_ms, worker_uuid, actor, reason, metadata, created_at
  )
  values (
    v_step.task_uuid, v_step.step_no, v_step.transition_count, p_event, p_step.state, p_to_state, v_step.claim_no,
    (p_metadata ->> 'execution_time_ms')::bigint,
    -- The worker speaks for itself; what others do is not its doing.
    coalesce(
      p_processor_uuid,
      case when p_event in ('EnqueueForOrchestration', 'Release', 'LeaseExpired') then v_step.worker_uuid end
    ),
    p_actor, p_metadata ->> 'reason',
    nullif(p_metadata - '{event,reason,results,execution_time_ms}'::text[], '{}'), v_now
  );
  return v_step;
end;
$$;

comment on function tasker.write_step_transition(tasker.workflow_steps, text, tasker.step_state, uuid, jsonb, text) is
$$Writes one transition of a step: its row and its log. The caller has locked the task and the step and checked the guards.$$;

revoke all on function tasker.write_step_transition(tasker.workflow_steps, text, tasker.step_state, uuid, jsonb, text) from public;
