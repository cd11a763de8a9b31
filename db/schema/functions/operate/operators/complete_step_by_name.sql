create or replace function tasker.complete_step_by_name(
  p_task_uuid  uuid,
  p_step_name  text,
  p_results    jsonb,
  p_reason     text     default null,
  p_actor      text     default null,
  p_early      boolean  default false
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
as $$
declare
  v_step tasker.workflow_steps;
begin
  -- While the task is locked, the parents' states do not change.
  perform tasker.lock_task(p_task_uuid);
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.name = p_step_name
   -- Instances that were replaced have lower numbers than the present instances.
   order by s.step_no desc
   limit 1;
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('task %s has no step "%s"', p_task_uuid, left(p_step_name, 100)),
      hint    = coalesce(
        format('Did you mean "%s"?', tasker.nearest_name(p_step_name, array(
          select s.name
            from tasker.workflow_steps as s
           where s.task_uuid = p_task_uuid
           order by s.step_no
           limit 1000
        ))),
        'tasker.list_steps(task) lists its steps.'
      );
  end if;

  if v_step.state = 'pending' and v_step.pending_parents > 0 and not coalesce(p_early, false) then
    raise exception using
      errcode = 'TK409',
      message = format('step "%s" still waits for other steps', v_step.name),
      detail  = format('It waits for %s of the steps that it depends on.', v_step.pending_parents),
      hint    = 'Wait for them, or complete it early with p_early => true and a reason.';
  end if;
  return tasker.complete_step_manually(v_step.workflow_step_uuid, p_results, p_reason, p_actor);
end;
$$;

comment on function tasker.complete_step_by_name is
$$Completes the step with this name with an operator's results, as tasker.complete_step_manually does, but only if the
steps that it depends on have settled. An approval can be recorded in this way. With p_early the step may be completed
before its parents have settled, which needs a reason. Returns true if this call completed the step, and false if the
step was already complete.

p_reason and p_actor go into the log. Without p_actor, the log has the caller's role. Locks the task, then the step.
Raises TK404 if there is no such task or step, TK409 if the step still waits for other steps, if the step is cancelled
or resolved, if its result is being processed or if its task has ended, and TK413 if the results and the reason are too
large.$$;

grant execute on function tasker.complete_step_by_name
  to tasker_orchestrator, tasker_operator;
