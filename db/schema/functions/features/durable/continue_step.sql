create or replace function tasker.continue_step(
  p_step_uuid  uuid,
  p_claim_no   integer,
  p_state      jsonb,
  p_round      integer  default null
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
  v_step   record;
  v_answer tasker.kept_answers;
begin
  perform tasker.check_isolation();
  perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  if octet_length(p_state::text) > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('a state of %s bytes is too large', octet_length(p_state::text)),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large state elsewhere and keep a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth('state', p_state);

  select s.task_uuid, s.step_no, s.state, s.claim_no, s.function_round, s.effects
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
    v_answer.answer := case when v_step.state = 'cancelled' then 'cancelled'::tasker.call_answer else 'stale' end;
    return next v_answer;
    return;
  end if;
  if p_round not between 0 and coalesce(v_step.function_round, 0) then
    raise exception using
      errcode = 'TK422',
      message = format('step %s is in round %s, not in round %s', p_step_uuid, coalesce(v_step.function_round, 0), p_round),
      hint    = 'Give the round that ends: 0 until the function has continued, then the one that the last answer or the claim named.';
  elsif p_round < v_step.function_round then
    -- The round has ended already, so this call is a repeat. A repeated call must not delete the results that the next
    -- round has kept.
    v_answer.answer := 'continued';
    v_answer.round := p_round + 1;
    return next v_answer;
    return;
  end if;

  if v_step.effects & 8192 <> 0 then
    perform tasker.judge_value(p_step_uuid, 'state', p_state, null);
  end if;
  if v_step.function_round is not null then
    perform tasker.forget_kept(array[v_step.task_uuid], array[v_step.step_no]);
  end if;
  v_answer.answer := 'continued';
  v_answer.round := coalesce(v_step.function_round, 0) + 1;
  update tasker.workflow_steps as s
     set function_state   = p_state,
         function_round   = v_answer.round,
         effects          = s.effects | 64::smallint,
         wait             = null,
         attempts         = 1,
         lost_count       = 0,
         -- Keep only the open tasks, which are about to be cancelled.
         child_task_uuids = case when s.child_task_uuids is not null then array(
           select u.task_uuid
             from unnest(s.child_task_uuids) as u (task_uuid)
            cross join lateral (select t.complete from tasker.tasks as t where t.task_uuid = u.task_uuid offset 0) as t
            where not t.complete
         ) end
   where s.task_uuid = v_step.task_uuid
     and s.step_no = v_step.step_no;
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.continue_step is
$$Lets a running step's function begin again with a new state: deletes all kept results of the function, and saves the state for its next run. The step's checkpoint stays, because it is not one of the kept results. The step stays claimed: its worker runs the function again from the top. Functions that run for a long time call continue_step so that their kept results stay few. The answer is "continued", with the number of the new round, "stale" or "cancelled".

A call with an old claim number changes nothing and is answered "stale". p_round is the number of the round that ends; the first round is 0. A repeated call with the same p_round, however late, gets the same answer and changes nothing. Without p_round, each call ends a round. Locks the step. Raises TK404 if there is no such step, TK413 if the state is larger than the setting "result_bytes", TK422 if the step or the claim number is null or the round has not begun, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED or if another session keeps the step locked for 5 seconds.$$;

grant execute on function tasker.continue_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
