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
  -- A repeat: the step is going to run anyway, or has this result.
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
  -- Do not start a task whose start is deferred to an orchestrator or not due yet.
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
$$Corrects a wrong result in place. Runs a step that is done or has failed again, and with it all steps that depend on
it, directly or not, in whatever state they are. A task that is complete or has failed is open again. With p_results the
step does not run. It is complete with this result, and the steps that depend on it run again. Returns true if this call
changed the step, and false if the step is going to run anyway, or has this result.

The former results are kept in the log and shown by the audit, with p_reason and p_actor (null: the caller's role). A
step in progress loses its claim, and its result is answered with stale. Attempts are restored, and checkpoints and kept
results of functions are deleted. Signals and events that a step has taken stay taken, and the step waits for another
signal or event. A step starts a new task instead of the task that it has started. The old task is cancelled if it is
open. A map begins again if a step that it depends on does: its instances are replaced. The effects of the steps are not
undone before. A compensation undoes the last run. The other failed steps of a task that has failed are reset. A
deadline that has passed no longer counts.

tasker.preview_rerun lists the steps. Linear in the task's steps and edges. Locks the task's identity, the task, then
its steps. Raises TK404 if there is no such step, and TK422 without a reason. Raises TK413 if the reason or the results
are too large. Raises TK409 with the remedy if the task is cancelled, resolved or was undone or erased, if the step that
started the task has taken its result, if the step was skipped or cancelled, with p_results if it is a map or has no
result, if another open task has its identity by the scope "open", or if the isolation level is above READ COMMITTED.
Raises TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5
seconds.$$;

grant execute on function tasker.rerun_step to tasker_orchestrator, tasker_operator;
