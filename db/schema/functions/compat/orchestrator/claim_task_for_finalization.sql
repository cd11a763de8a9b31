create or replace function tasker.claim_task_for_finalization(
  p_task_uuid       uuid,
  p_processor_uuid  uuid,
  p_lease_seconds   integer  default null
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
declare
  v_task  tasker.tasks;
  v_lease interval := make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('finalization_lease_seconds')));
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_claim(p_processor_uuid, 1, p_lease_seconds);
  v_task := tasker.lock_task(p_task_uuid);
  if v_task.complete
     or v_task.open_steps > 0
     or v_task.failed_steps > 0
     or v_task.finalization_claimed_until > tasker.clock() and v_task.finalization_claimed_by <> p_processor_uuid then
    return false;
  end if;

  update tasker.tasks as t
     set finalization_claimed_at    = tasker.clock(),
         finalization_claimed_until = tasker.clock() + v_lease,
         finalization_claimed_by    = p_processor_uuid
   where t.task_uuid = p_task_uuid;
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.claim_task_for_finalization is
$$Claims the finalisation of a task whose steps are all done for one of several orchestrators. Returns false to the others, and also if the task is not that far or has ended. The engine finalises tasks by itself: this is for orchestrators that do work of their own at that moment.

The claim is a lease (null: the setting "finalization_lease_seconds"), so a claimant that dies does not block the others. Locks the task. Raises TK404 if there is no such task, TK422 if the processor is null or the lease out of range, TK409 above READ COMMITTED, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.claim_task_for_finalization to tasker_orchestrator, tasker_operator;
