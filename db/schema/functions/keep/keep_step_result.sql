create or replace function tasker.keep_step_result(
  p_step_uuid   uuid,
  p_claim_no    integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer,
  p_value       jsonb  default null,
  p_error       text   default null
)
  returns setof tasker.kept_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_settings tasker.settings_now;
  v_step     record;
  v_answer   tasker.kept_answers;
begin
  perform tasker.check_isolation();
  perform tasker.check_kept_name(p_step_uuid, p_claim_no, p_position, p_name, p_occurrence);
  select c.* into v_settings from tasker.settings_now as c;
  if v_settings.any_bound or tasker.is_scoped() then
    perform tasker.check_bound_steps(array[p_step_uuid]);
  end if;
  if num_nonnulls(p_value, p_error) <> 1 or p_error = '' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" has neither a value nor an error, or both', p_name),
      hint    = 'Give the value as JSON, null as the JSON null, or the text of the error.';
  elsif coalesce(octet_length(p_value::text), octet_length(p_error)) > v_settings.result_bytes then
    raise exception using
      errcode = 'TK413',
      message = format('the kept result "%s" is too large', p_name),
      detail  = format(
        'It has %s bytes, the limit is %s.', coalesce(octet_length(p_value::text), octet_length(p_error)),
        v_settings.result_bytes
      ),
      hint    = 'Store large data elsewhere and keep a reference, or raise the setting "result_bytes".';
  end if;

  select s.task_uuid, s.step_no, s.state, s.claim_no, s.attempts, s.lost_count, s.function_round
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  v_answer.round := v_step.function_round;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    v_answer.answer := case when v_step.state = 'cancelled' then 'cancelled' else 'stale' end;
    return next v_answer;
    return;
  end if;

  -- The first writer wins: what is kept at this position is the answer.
  v_answer := tasker.kept_at_position(v_step.task_uuid, v_step.step_no, p_position, p_name, p_occurrence);
  v_answer.round := coalesce(v_step.function_round, 0);
  if v_answer.answer is null then
    perform tasker.write_kept(
      v_step.task_uuid, v_step.step_no, p_claim_no, p_position, p_name, p_occurrence, p_value, p_error, v_settings
    );
    if v_step.attempts <> 1 or v_step.lost_count <> 0 or v_step.function_round is null then
      perform tasker.note_kept(v_step.task_uuid, v_step.step_no, 1);
    end if;
    v_answer.answer := 'kept';
    v_answer.position := p_position;
    v_answer.name := p_name;
    v_answer.occurrence := p_occurrence;
    v_answer.value := p_value;
    v_answer.error := p_error;
  end if;
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.keep_step_result(uuid, integer, integer, text, integer, jsonb, text) is
$$Keeps the result of a call of a running step's function, so that later runs of the function get it without the call: a value or an error. p_position counts the calls of the function, p_occurrence those of this name, both from 1. The answer is kept; known, with what is kept at this position already; diverged, if that has another name; stale, if the claim is no longer the step's; cancelled. The step's attempts count from there.

The claim number is the fence, and the first result at a position wins: a repeated call is answered known. Locks the step, not the task, so it may stand in the transaction whose effects it records. Raises TK404 if there is no such step, TK413 if the result is over the setting "result_bytes" or the function would keep more than "kept_results" and "kept_bytes" allow, TK422 for an argument that is malformed or a position that is not the next one, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED or if another session keeps the step locked for 5 seconds.$$;

revoke all on function tasker.keep_step_result(uuid, integer, integer, text, integer, jsonb, text) from public;
grant execute on function tasker.keep_step_result(uuid, integer, integer, text, integer, jsonb, text)
  to tasker_worker, tasker_orchestrator, tasker_operator;
