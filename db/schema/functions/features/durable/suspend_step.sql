create or replace function tasker.suspend_step(
  p_step_uuid   uuid,
  p_claim_no    integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer,
  p_wait        jsonb
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
  v_wait     jsonb;
  v_task     tasker.task_facts;
  v_step     tasker.workflow_steps;
  v_answer   tasker.kept_answers;
begin
  perform tasker.check_isolation();
  perform tasker.check_kept_name(p_step_uuid, p_claim_no, p_position, p_name, p_occurrence);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  perform tasker.check_depth('wait', p_wait);
  v_wait := case when p_wait ? 'tasks' then tasker.run_spec(p_wait) else tasker.wait_spec(p_wait) end;
  perform tasker.check_bound_namespaces(array(
    select distinct n.value ->> 'namespace' from jsonb_array_elements(v_wait -> 'tasks') as n (value) where n.value ? 'namespace'
  ));
  select c.* into v_settings from tasker.settings_now as c;

  -- Signals are sent under the task's lock. So this call finds an earlier signal, and a later signal finds the wait.
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
    v_answer.answer := tasker.suspended_answer(v_step, p_claim_no, p_position);
    return next v_answer;
    return;
  end if;
  v_answer := tasker.kept_at_position(v_step.task_uuid, v_step.step_no, p_position, p_name, p_occurrence);
  v_answer.round := coalesce(v_step.function_round, 0);
  if v_answer.answer is not null then
    return next v_answer;
    return;
  end if;
  -- The end of the wait is kept at this position later, by another call. So refuse a wrong position now.
  v_settings.kept_bytes := 9223372036854775807;
  perform tasker.check_kept(v_step.task_uuid, v_step.step_no, p_position, p_name, 0, v_settings);

  v_wait := v_wait || jsonb_build_object(
    'claim_no', p_claim_no, 'position', p_position, 'name', p_name, 'occurrence', p_occurrence,
    -- If the function makes the same call as before, durations count from the first of these calls.
    'since', case
      when (v_step.wait ->> 'position')::integer = p_position
           and v_step.wait ->> 'name' = p_name
           and (v_step.wait ->> 'occurrence')::integer = p_occurrence
        then v_step.wait -> 'since'
      else to_jsonb(tasker.write_clock())
    end
  );
  v_answer.value := tasker.end_of_wait(v_step, v_wait);
  if v_answer.value is not null then
    -- The wait is over before it began, so the function need not stop.
    perform tasker.write_kept(
      v_step.task_uuid, v_step.step_no, p_claim_no, p_position, p_name, p_occurrence, v_answer.value, null, v_settings
    );
    perform tasker.note_kept(v_step.task_uuid, v_step.step_no, 1);
    v_answer.answer := 'ended';
    v_answer.position := p_position;
    v_answer.name := p_name;
    v_answer.occurrence := p_occurrence;
  else
    perform tasker.apply_move(tasker.suspend_move(v_step, v_wait), v_task);
    v_answer.answer := 'suspended';
  end if;
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.suspend_step is
$$Suspends a running step whose function waits for a signal, a duration or a time, or for the first of several of these. p_wait has the form of the fields await, timeout and assignee of a template's step: {"await": [{"signal": "approved"}, {"for": "3d"}]}. Alternatively the function starts tasks and waits for the end of all these tasks: {"tasks": [{"name": "parcel", "context": {"order": 17}}], "timeout": "3d"}. The attempt does not count. When the wait ends, its outcome is kept as the result of this call, and the step is enqueued again. A worker then runs the function from the top.

The answer is "suspended", "ended", "known", "diverged", "stale" or "cancelled". "ended" comes with the result, if a signal was there already or the time has passed; the function continues at once. "known" and "diverged" mean that a result is kept at this position. A call with an old claim number changes nothing and is answered "stale". A repeated call is answered "suspended". Locks the task, then the step. Raises TK404 if there is no such step, TK413 if the function would keep more results than the setting "kept_results", TK422 for a malformed argument or a position that is not the next position, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED or if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.suspend_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
