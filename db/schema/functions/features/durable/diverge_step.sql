create or replace function tasker.diverge_step(p_step_uuid uuid, p_claim_no integer, p_position integer, p_name text)
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
  v_task   tasker.task_facts;
  v_step   tasker.workflow_steps;
  v_times  integer;
  v_answer tasker.kept_answers;
begin
  perform tasker.check_isolation();
  perform tasker.check_kept_name(p_step_uuid, p_claim_no, case when p_position = 0 then 1 else p_position end, p_name, 1);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  v_task := tasker.lock_task_facts(tasker.task_uuid_of(p_step_uuid));
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    v_answer.round := v_step.function_round;
    v_answer.answer := case
      when v_step.state = 'cancelled' then 'cancelled'::tasker.call_answer
      when v_step.claim_no = p_claim_no and v_step.state in ('suspended', 'enqueued') and v_step.wait ? 'diverged' then 'suspended'
      else 'stale'
    end;
    return next v_answer;
    return;
  end if;

  v_answer := tasker.kept_at_position(v_step.task_uuid, v_step.step_no, p_position, '', 0);
  if p_position = 0 then
    v_answer.name := p_name;
  elsif v_answer.answer is null then
    raise exception using
      errcode = 'TK422',
      message = format('step %s has kept nothing at position %s', p_step_uuid, p_position),
      hint    = 'A function differs from what is kept only at a position where something is kept.';
  end if;
  v_answer.round := coalesce(v_step.function_round, 0);
  v_times := case
    when v_step.wait #>> '{diverged,asked}' = p_name and (v_step.wait #>> '{diverged,position}')::integer = p_position
      then least((v_step.wait #>> '{diverged,times}')::integer, 1000) + 1
    else 1
  end;
  perform tasker.apply_move(
    tasker.suspend_move(v_step, jsonb_build_object(
      'claim_no', p_claim_no,
      -- Another worker may have the code that fits. Try again soon at first, later every five minutes.
      'any', jsonb_build_array(
        jsonb_build_object('for', least(5 * 2 ^ least(v_times, 6), 300)), jsonb_build_object('signal', '$diverged')
      ),
      'diverged', jsonb_build_object(
        'position', p_position, 'expected', v_answer.name, 'asked', p_name, 'times', v_times
      )
    )),
    v_task
  );
  v_answer.answer := 'suspended';
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.diverge_step is
$$Suspends a running step whose code has changed, so that its function made another call than the call whose result is kept at p_position. p_name is the name of the call that the function made, or "$end" if the function returned. If the function made the same call but cannot read the kept value, p_name is the kept name. At position 0, p_name is the step above whose result the code cannot read, and the step may have no kept results. Nothing fails and no attempt counts. The step is tried again after 10 seconds, later every 5 minutes, by any worker, which may have the code that fits. tasker.explain_step explains the divergence, and tasker.get_system_health_counts counts it.

The answer is "suspended", with the kept result of that position, "stale" or "cancelled". A call with an old claim number
changes nothing and is answered "stale". A repeated call is answered "suspended". Locks the task, then the step. Raises
TK404 if there is no such step, TK422 if no result is kept at the position or an argument is malformed, TK403 if the role
is bound to other namespaces, TK409 above READ COMMITTED or if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.diverge_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
