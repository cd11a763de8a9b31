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
  v_task     uuid    := tasker.task_uuid_of(p_step_uuid);
  v_no       integer := tasker.step_no_of(p_step_uuid);
  v_bytes    bigint  := coalesce(octet_length(p_value::text), octet_length(p_error));
  v_settings tasker.settings_now;
  v_step     record;
  v_last     record;
  v_answer   tasker.kept_answers;
begin
  -- One expression checks all arguments. Only if the expression is not true, the functions that find the wrong argument
  -- are called. A bounded repetition ({0,126}) in the expression would take a twentieth of the time of the call.
  if (p_claim_no is not null and p_position > 0 and p_occurrence > 0
      and p_name ~ '^[$]?[a-zA-Z0-9][a-zA-Z0-9_.:/-]*$' and octet_length(p_name) <= 127
      and current_setting('transaction_isolation') = 'read committed') is not true then
    perform tasker.check_isolation();
    perform tasker.check_kept_name(p_step_uuid, p_claim_no, p_position, p_name, p_occurrence);
  end if;
  select c.* into v_settings from tasker.settings_now as c;
  if v_settings.any_bound or tasker.is_scoped() then
    perform tasker.check_bound_steps(array[p_step_uuid]);
  end if;
  if num_nonnulls(p_value, p_error) <> 1 or p_error = '' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" has neither a value nor an error, or both', p_name),
      hint    = 'Give the value as JSON, null as the JSON null, or the text of the error.';
  elsif v_bytes > v_settings.result_bytes then
    raise exception using
      errcode = 'TK413',
      message = format('the kept result "%s" is too large', p_name),
      detail  = format('It has %s bytes, the limit is %s.', v_bytes, v_settings.result_bytes),
      hint    = 'Store large data elsewhere and keep a reference, or raise the setting "result_bytes".';
  elsif v_bytes > 2000 and tasker.is_too_deep(p_value) then
    perform tasker.check_depth(format('kept result "%s"', p_name), p_value);
  end if;

  select s.state, s.claim_no, s.attempts, s.lost_count, s.function_round, s.effects
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = v_task
     and s.step_no = v_no
     for no key update;
  if not found then
    perform tasker.check_kept_name(p_step_uuid, p_claim_no, p_position, p_name, p_occurrence);
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  v_answer.round := v_step.function_round;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    v_answer.answer := case when v_step.state = 'cancelled' then 'cancelled'::tasker.call_answer else 'stale' end;
    return next v_answer;
    return;
  end if;

  if v_step.effects & 8192 <> 0 and p_name !~ '^[$]' then
    perform tasker.judge_value(p_step_uuid, 'kept result', p_value, p_error);
  end if;
  v_answer.round := coalesce(v_step.function_round, 0);
  v_answer.answer := 'kept';
  v_answer.position := p_position;
  v_answer.name := p_name;
  v_answer.occurrence := p_occurrence;
  v_answer.value := p_value;
  v_answer.error := p_error;
  -- The lock of the claim orders the function's calls, so the next call finds the last result. Without the lower bound
  -- the scan would read all entries of the index page, which would take a twentieth of the time of the call.
  select k.kept_no, k.bytes
    into v_last
    from tasker.kept_results as k
   where k.task_uuid = v_task
     and k.step_no = v_no
     and k.kept_no >= p_position - 1
   order by k.kept_no desc
   limit 1;
  if p_position <= v_last.kept_no then
    -- The first writer wins. The result that is kept at this position is the answer.
    v_answer := tasker.kept_at_position(v_task, v_no, p_position, p_name, p_occurrence);
    v_answer.round := v_step.function_round;
  elsif tasker.kept_fits(
    p_position, v_last.kept_no, v_bytes + coalesce(v_last.bytes, 0), v_settings.kept_results, v_settings.kept_bytes
  ) then
    insert into tasker.kept_results (
      task_uuid, step_no, kept_no, name, occurrence, value, error, bytes, claim_no, kept_at
    )
    values (
      v_task, v_no, p_position, p_name, p_occurrence, coalesce(p_value, 'null'), p_error,
      v_bytes + coalesce(v_last.bytes, 0), p_claim_no, tasker.write_clock()
    );
    if v_step.attempts <> 1 or v_step.lost_count <> 0 or v_step.function_round is null then
      perform tasker.note_kept(v_task, v_no, 1);
    end if;
  else
    perform tasker.check_kept(v_task, v_no, p_position, p_name, v_bytes, v_settings);
  end if;
  return next v_answer;
end;
$$;

comment on function tasker.keep_step_result is
$$Keeps the result (a value or an error) of a call that a running step's function made. Later runs of the function get the kept result instead of making the call. p_position counts all calls of the function, p_occurrence counts its calls of this name; both start at 1. The answer is "kept", "known" (with the result that was kept at this position before), "diverged" (the result kept at this position has another name), "stale" (the step has another claim) or "cancelled". The step's attempts count from the last kept result.

A call with an old claim number changes nothing and is answered "stale". The first result at a position stays: a repeated call is answered "known". Locks the step but not the task, so the call can be part of the transaction whose effects it records. Raises TK404 if there is no such step, TK413 if the result is larger than the setting "result_bytes" or the function would keep more than the settings "kept_results" and "kept_bytes" allow, TK422 for a malformed argument or a position that is not the next position, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED, 55P03 if another session keeps the step locked for 5 seconds.$$;

grant execute on function tasker.keep_step_result
  to tasker_worker, tasker_orchestrator, tasker_operator;
