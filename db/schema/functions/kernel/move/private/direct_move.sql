create or replace function tasker.direct_move(
  p_step            tasker.workflow_steps,
  p_event           text,
  p_to_state        tasker.step_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.clock();
  v_settings tasker.settings_now;
  v_move     tasker.step_moves;
begin
  select c.* into v_settings from tasker.settings_now as c;
  v_move.task_uuid := p_step.task_uuid;
  v_move.step_no := p_step.step_no;
  v_move.from_state := p_step.state;
  v_move.event := p_event;
  v_move.to_state := p_to_state;
  v_move.worker_uuid := p_processor_uuid;
  if p_to_state = 'in_progress' then
    v_move.claim_no := tasker.next_claim_no(p_step.claim_no);
    v_move.lease_until := v_now + make_interval(secs => v_settings.lease_seconds);
  elsif p_to_state = 'waiting_for_retry' then
    v_move.next_retry_at := tasker.retry_at(
      v_now, v_settings, p_step.attempts,
      coalesce((p_metadata ->> 'backoff_seconds')::double precision, p_step.backoff_request_seconds),
      p_step.backoff_base_seconds, p_step.backoff_multiplier, p_step.max_backoff_seconds
    );
  end if;
  v_move.visible_at := coalesce(v_move.lease_until, v_now);
  v_move.execution_time_ms := (p_metadata ->> 'execution_time_ms')::bigint;
  v_move.backoff_seconds := (p_metadata ->> 'backoff_seconds')::double precision;
  v_move.actor := p_actor;
  v_move.reason := p_metadata ->> 'reason';
  v_move.error := p_metadata ->> 'error';
  v_move.result := p_metadata -> 'results';
  v_move.metadata := nullif(p_metadata - '{event,reason,results,execution_time_ms}'::text[], '{}');
  return v_move;
end;
$$;

comment on function tasker.direct_move is
$$Builds the move of a direct call or an operator from its metadata. The caller has locked the task and the step, and has checked that the move is allowed.$$;
