create or replace function tasker.give_up_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
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
  perform tasker.check_given_name('actor', p_actor, 200);
  return tasker.operate_on_task(p_task_uuid, 'GiveUp', p_reason, p_actor);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.give_up_task is
$$Fails a task that cannot continue because steps have failed (state blocked_by_failures). reset_task can make the task
continue. Running steps fail with the task, and their workers are notified. A task that has something to undo is undone
first, as cancel_task does. Returns true if this call failed the task, and false if the task had already failed.

p_reason and p_actor go into the logs. Without p_actor, the logs have the caller's role. Locks the task, then its steps.
Raises TK404 if there is no such task, and TK409 unless the task is blocked_by_failures. Raises TK413 if the reason is
too large, and TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked
for 5 seconds.$$;

grant execute on function tasker.give_up_task to tasker_orchestrator, tasker_operator;
