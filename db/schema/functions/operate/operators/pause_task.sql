create or replace function tasker.pause_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
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
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  perform tasker.lock_open_task(p_task_uuid);
  if tasker.task_is_held(p_task_uuid) then
    return false;
  end if;
  perform from tasker.workflow_steps as s where s.task_uuid = p_task_uuid order by s.step_no for no key update;
  -- Mark settled steps, too, because a correction may run them again. Compensations are not paused.
  update tasker.workflow_steps as s
     set effects = s.effects | 16384
   where s.task_uuid = p_task_uuid
     and s.undo_no is null;
  update tasker.step_queue as q
     set lane = 'paused'
   where q.task_uuid = p_task_uuid
     and q.lane not in ('running', 'results');
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  values (p_task_uuid, 'hold_task', '2200-01-01 00:00:00Z', tasker.namespace_of_task(p_task_uuid));
  update tasker.timers as n
     set due_at = '2200-01-01 00:00:00Z'
   where n.task_uuid = p_task_uuid
     and n.kind = 'start_child';
  perform tasker.note_task_change(p_task_uuid, '{"paused": false}', '{"paused": true}');
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.pause_task is
$$Pauses one task until tasker.resume_task is called: no step of the task starts, and no step starts another task.
Running steps continue, their leases can be renewed, and their results count. Signals and events still end waits. The
time-outs of waits, the waits before retries and the deadline of the task continue to run. Compensations and tasks that
the task's steps have started also continue. The task keeps its places in limits and in the line of its key. The pause
ends when the task ends. Returns true if this call paused the task, and false if the task was already paused.

p_reason and p_actor go into the log of administration, under the kind \"tasks\". Without p_actor, the log has the
caller's role. Locks the task, then its steps, then their queue rows and timers. The cost is linear in the number of
steps of the task. Raises TK404 if there is no such task. Raises TK409 if the task has ended or is being undone, or if
the isolation level is above READ COMMITTED. Raises TK413 if the reason or the actor's name is too long. Raises TK403 if
the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.pause_task to tasker_orchestrator, tasker_operator;
