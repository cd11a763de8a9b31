create or replace function tasker.complete_step_manually(
  p_step_uuid  uuid,
  p_results    jsonb,
  p_reason     text  default null,
  p_actor      text  default null
)
  returns boolean
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
begin
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_given_name('actor', p_actor, 200);
  if btrim(coalesce(p_reason, '')) = ''
     and exists (
       select
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
          and s.step_no = tasker.step_no_of(p_step_uuid)
          and s.state = 'pending'
          and not tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
     )
     and exists (
       select
         from tasker.tasks as t
        where t.task_uuid = tasker.task_uuid_of(p_step_uuid)
          and not t.complete
     )
  then
    raise exception using
      errcode = 'TK422',
      message = format('step %s has never run and its dependencies are not met: completing it needs a reason', p_step_uuid),
      hint    = 'Pass p_reason, or wait until its parents have settled.';
  end if;

  return tasker.operate_on_step(
    p_step_uuid, 'CompleteManually',
    jsonb_strip_nulls(jsonb_build_object('reason', p_reason))
      || case when p_results is null then '{}' else jsonb_build_object('results', p_results) end,
    p_actor
  );
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.complete_step_manually is
$$Completes a step with an operator's results, which its children can read. Returns true if this call completed the
step, and false if the step was already complete. A worker that still runs the step gets the answer "already_complete".

p_reason and p_actor go into the log. Without p_actor, the log has the caller's role. Locks the task, then the step.
Raises TK404 if there is no such step. Raises TK409 if the step is cancelled or resolved, if its result is being
processed, or if its task has ended. Raises TK413 if the results and the reason are too large. Raises TK422 without a
reason for a step that has never run and whose dependencies are not met. Raises TK403 if the caller is bound to other
namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.complete_step_manually to tasker_orchestrator, tasker_operator;
