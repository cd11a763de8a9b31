create or replace function tasker.reset_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
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
  v_actor text := tasker.actor_name(p_actor);
  v_task  tasker.tasks;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_transition_metadata(jsonb_strip_nulls(jsonb_build_object('reason', p_reason)));
  perform tasker.lock_identity(p_task_uuid);
  v_task := tasker.lock_task(p_task_uuid);
  if v_task.complete and v_task.state <> 'error' then
    raise exception using
      errcode = 'TK409',
      message = format('task %s is %s and cannot be reset', p_task_uuid, v_task.state),
      hint    = 'Only failed tasks and tasks with failed steps can be reset; create a new task instead.';
  end if;
  if v_task.undo ? 'phase' then
    raise exception using
      errcode = 'TK409',
      message = format('task %s %s undone and cannot be reset', p_task_uuid, case when v_task.complete then 'has been' else 'is being' end),
      hint    = 'Retry a compensation that has failed with tasker.retry_step(step); repeat the task with tasker.fork_task(task, step).';
  end if;
  if v_task.state = 'error' and v_task.failed_steps = 0 and cardinality(tasker.taken_failures(p_task_uuid)) > 0 then
    raise exception using
      errcode = 'TK409',
      message = format('task %s has no failed step to reset: other steps waited for its failures', p_task_uuid),
      hint    = 'Let the step that failed run again, with all that depends on it: tasker.rerun_step(step, reason).';
  end if;
  perform tasker.check_identity_regained(v_task);
  if not tasker.reset_locked_task(v_task, p_reason, v_actor) then
    return false;
  end if;
  perform tasker.advance_tasks(array[p_task_uuid]);
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.reset_task is
$$Lets a failed task, or an open task with failed steps, continue where it stopped. Restores the attempts of its failed
steps. Finished steps stay finished, and the history is kept. The kept results of a durable function stay, too, with the
signals and events that it took. Only if the last kept result is an error, it is deleted and the call is made again.
Returns true if the task had steps to reset.

p_reason and p_actor go into the logs. Without p_actor, the logs have the caller's role. A deadline that has passed no
longer counts. Locks the task's identity, the task, then its steps. Raises TK404 if there is no such task. Raises TK409
if the task has ended in another way than by failure, if it is being undone or was undone, or if other steps waited for
all of its failures. Raises TK409 if the task's identity has the scope "open" and another open task has this identity.
Raises TK413 if the reason is too large, and TK403 if the caller is bound to other namespaces. Raises TK409 if another
session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.reset_task to tasker_orchestrator, tasker_operator;
