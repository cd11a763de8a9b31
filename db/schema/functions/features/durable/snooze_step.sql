create or replace function tasker.snooze_step(
  p_step_uuid  uuid,
  p_claim_no   integer,
  p_seconds    double precision,
  p_reason     text              default null
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
  v_task   tasker.task_facts;
  v_step   tasker.workflow_steps;
  v_answer tasker.kept_answers;
begin
  perform tasker.check_isolation();
  perform tasker.check_snooze(p_step_uuid, p_claim_no, p_seconds, p_reason);
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
    v_answer.answer := case
      when v_step.state = 'cancelled' then 'cancelled'::tasker.call_answer
      -- The caller repeats the call, because its answer was lost.
      when v_step.claim_no = p_claim_no and v_step.state in ('suspended', 'enqueued') and v_step.wait ? 'snoozed' then 'suspended'
      else 'stale'
    end;
    return next v_answer;
    return;
  end if;
  if v_step.effects & 8192 <> 0 then
    perform tasker.judge_value(p_step_uuid, 'reason', null, nullif(p_reason, ''));
  end if;
  perform tasker.apply_move(
    tasker.suspend_move(v_step, jsonb_build_object(
      'claim_no', p_claim_no, 'any', jsonb_build_array(jsonb_build_object('for', p_seconds)), 'snoozed', coalesce(p_reason, '')
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

comment on function tasker.snooze_step is
$$Suspends a running step whose handler asks to run again after p_seconds, which is at most a year. The attempt does not count, and nothing fails. The step's history and tasker.explain_step show p_reason. At the end of the time the step is enqueued, and any worker runs the handler from the top, with the checkpoint and the kept results of the step. The step frees its places in its limits, unless its run holds these places.

The answer is "suspended", "stale" or "cancelled". A call with an old claim number changes nothing and is answered "stale". A repeated call is answered "suspended". Locks the task, then the step. Raises TK404 if there is no such step, TK422 for a time out of range, for a reason that is too long, and for an unencrypted reason if the payloads of the step are encrypted, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED or if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.snooze_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
