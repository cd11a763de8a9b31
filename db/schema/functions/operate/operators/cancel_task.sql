create or replace function tasker.cancel_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
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
  return tasker.operate_on_task(p_task_uuid, 'Cancel', p_reason, p_actor);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.cancel_task is
$$Cancels a task for good, with all its open steps. The workers of running steps are notified, and their results are
then refused with the answer "cancelled". A task that has something to undo is undone first. Then a running step may end
and its result counts, but its lease is not renewed, so it ends at most lease_seconds (a setting) later. After that the
compensations run. Returns true if this call cancelled the task, and false if the task has already ended in any way.

p_reason and p_actor go into the logs. Without p_actor, the logs have the caller's role. Ignores
enforce_processor_ownership. Locks the task, then its steps. Raises TK404 if there is no such task, and TK413 if the
reason is too large. Raises TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the
task locked for 5 seconds.$$;

grant execute on function tasker.cancel_task to tasker_submitter, tasker_orchestrator, tasker_operator;
