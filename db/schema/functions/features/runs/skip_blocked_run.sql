create or replace function tasker.skip_blocked_run(p_task_uuid uuid, p_reason text, p_actor text default null)
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
  v_task tasker.tasks;
  v_run  tasker.runs;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  if btrim(coalesce(p_reason, '')) = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A sequence that goes on without a failed task needs a reason, which the log of administration keeps.';
  end if;
  v_task := tasker.lock_task(p_task_uuid);
  select r.* into v_run from tasker.runs as r where r.task_uuid = p_task_uuid and r.state <> 'ended';
  if not found and v_task.complete then
    return false;
  elsif v_run.state is distinct from 'running' or v_task.state not in ('error', 'blocked_by_failures') then
    raise exception using
      errcode = 'TK409',
      message = format('task %s holds up no sequence', p_task_uuid),
      detail  = format('It is %s, and %s.', v_task.state, coalesce(v_run.state, 'its template has no runs by key')),
      hint    = 'Skip a task that has failed or is blocked; tasker.list_runs() shows it as held by blocked.';
  end if;
  if not v_task.complete then
    perform tasker.move_task(
      v_task, 'GiveUp', 'error', null, jsonb_build_object('reason', left(p_reason, 900)), tasker.actor_name(p_actor)
    );
  end if;
  perform tasker.drop_run(p_task_uuid);
  perform tasker.note_administration(
    'runs', format('%s/%s/%s', v_run.namespace, v_run.name, p_task_uuid), array[v_run.namespace], 'update',
    jsonb_build_object('run', 'running', 'state', v_task.state), jsonb_build_object('run', 'skipped')
  );
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.skip_blocked_run is
$$Lets the runs of a key continue without a task that has failed or is blocked. The task loses its place, and the next task in line starts. A blocked task is given up first, so that it ends as failed. If the task has steps to undo, they are undone first, and the task keeps its place until it is skipped again after the undo. A reset puts the task at the end of the line. Returns true if this call skipped the task, false if the task no longer has a place.

The log of administration records p_reason and p_actor (by default the caller's role). Locks the task, then its steps. Raises TK404 if there is no such task, TK422 without a reason, TK409 if the task runs, waits or has no key, or above READ COMMITTED, TK413 if the reason or the actor's name is too long, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.skip_blocked_run to tasker_orchestrator, tasker_operator;
