create or replace function tasker.rerun_step(
  p_step_uuid  uuid,
  p_reason     text,
  p_actor      text   default null,
  p_results    jsonb  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '5s'
as $$
declare
  v_uuid     uuid    := tasker.task_uuid_of(p_step_uuid);
  v_no       integer := tasker.step_no_of(p_step_uuid);
  v_actor    text    := tasker.actor_name(p_actor);
  v_by_hand  boolean := p_results is not null;
  v_task     tasker.tasks;
  v_step     tasker.workflow_steps;
  v_facts    tasker.task_facts;
  v_again    integer[];
  v_replaced integer[];
begin
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_isolation();
  perform tasker.check_given_name('actor', p_actor, 200);
  if btrim(coalesce(p_reason, '')) = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A result that is replaced needs a reason, which the history keeps beside it.';
  end if;
  perform tasker.check_text_size('reason', p_reason, 900);
  if v_by_hand then
    perform tasker.check_transition_metadata(jsonb_build_object('reason', p_reason, 'results', p_results));
  end if;
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.lock_identity(v_uuid);
  v_task := tasker.lock_task(v_uuid);
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = v_uuid
     and s.step_no = v_no;
  perform tasker.check_rerun(v_task, v_step, v_by_hand);
  -- This is a repeated call: the step is going to run anyway, or has this result.
  if not v_by_hand and v_step.state not in ('complete', 'resolved_manually', 'error', 'cancelled')
     or v_by_hand and v_step.state = 'complete' and v_step.results = p_results then
    return false;
  end if;
  perform tasker.check_identity_regained(v_task, 'run again');

  select
    array_agg(f.step_no) filter (where f.fate = 'again'),
    coalesce(array_agg(f.step_no) filter (where f.fate = 'replaced'), '{}')
    into v_again, v_replaced
    from tasker.find_reruns(v_uuid, v_no) as f;
  v_facts := tasker.rerun_steps(
    tasker.lock_task_facts(v_uuid), v_no, v_by_hand, v_again, v_replaced, p_reason, v_actor
  );
  if v_task.complete then
    perform tasker.write_task_move(
      v_facts, 'Rerun', 'pending', null, jsonb_build_object('reason', p_reason, 'from_step', v_step.name), v_actor
    );
  else
    perform tasker.count_task(v_facts);
  end if;

  if v_by_hand then
    select s.*
      into v_step
      from tasker.workflow_steps as s
     where s.task_uuid = v_uuid
       and s.step_no = v_no;
    perform tasker.apply_held_move(
      tasker.direct_move(
        v_step, 'CompleteManually', 'complete', null, jsonb_build_object('reason', p_reason, 'results', p_results), v_actor
      ),
      tasker.lock_task_facts(v_uuid)
    );
  end if;
  -- Do not start a task whose start is left to an orchestrator or not due yet.
  if not exists (select from tasker.waiting_tasks as w where w.task_uuid = v_uuid) then
    perform tasker.advance_tasks(array[v_uuid]);
  end if;
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.rerun_step is
$$Corrects a wrong result in place. Runs again a step that is done or has failed, and all steps that depend on it,
directly or not, whatever their state. A task that is complete or has failed becomes open again. With p_results the step
itself does not run but gets this result, and the steps that depend on it run again. Returns true if this call changed
the step, and false if the step is going to run anyway or already has this result.

The former results stay in the log, and the audit shows them with p_reason and p_actor (default: the caller's role). A
step in progress loses its claim, and its result gets the answer "stale". Attempts are restored, and checkpoints and
kept results of functions are deleted. Signals and events that a step has taken stay taken, so the step waits for
another signal or event. A step that has started a task starts a new task, and the old task is cancelled if it is open.
A map begins again, with new instances, if a step that it depends on runs again. The effects of the steps are not undone
before they run again. A compensation undoes the last run. The other failed steps of a failed task are reset. A deadline
that has passed no longer counts.

tasker.preview_rerun lists the steps. The cost is linear in the number of the task's steps and edges. Locks the task's
identity, the task, then its steps. Raises TK404 if there is no such step, and TK422 without a reason. Raises TK413 if
the reason or the results are too large. Raises TK409 with the remedy if the task is cancelled or resolved or was undone
or erased, or if the step that started the task has taken its result. Raises TK409 if the step was skipped or cancelled,
or if p_results are given for a map or for a step without a result. Raises TK409 if the task's identity has the scope
"open" and another open task has this identity, or if the isolation level is above READ COMMITTED. Raises TK403 if the
caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.rerun_step to tasker_orchestrator, tasker_operator;
