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
     or tasker.is_finalized_by_another(v_task, p_processor_uuid) then
    return false;
  end if;

  delete from tasker.finalization_claims as c
   where c.task_uuid in (
     select o.task_uuid
       from tasker.finalization_claims as o
      where o.claimed_until < tasker.clock() - interval '1 day'
      order by o.claimed_until
      limit 10
        for update skip locked
   );
  insert into tasker.finalization_claims (task_uuid, transition_count, claimed_at, claimed_until, processor_uuid)
  values (p_task_uuid, v_task.transition_count, tasker.clock(), tasker.clock() + v_lease, p_processor_uuid)
  on conflict (task_uuid) do update
    set transition_count = excluded.transition_count,
        claimed_at       = excluded.claimed_at,
        claimed_until    = excluded.claimed_until,
        processor_uuid   = excluded.processor_uuid;
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.claim_task_for_finalization is
$$Claims the finalisation of a task whose steps are all done, and returns true. Returns false if another processor has claimed it, if a step is not done, or if the task has ended. The engine finalises tasks by itself. This function is for several orchestrators of which one does work of its own when a task is finalised.

The claim ends after p_lease_seconds (if null, the setting finalization_lease_seconds applies), so that an orchestrator that crashes does not block other orchestrators. Locks the task. Raises TK404 if the task does not exist, TK422 if the processor is null or the lease is out of range, TK409 above READ COMMITTED, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.claim_task_for_finalization to tasker_orchestrator, tasker_operator;
