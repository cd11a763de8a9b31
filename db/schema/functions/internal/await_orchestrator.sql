create or replace function tasker.await_orchestrator(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  insert into tasker.waiting_tasks (task_uuid, priority)
  select
    t.task_uuid,
    t.priority
  from tasker.tasks as t
  where t.task_uuid = p_task_uuid
    and not t.complete
  on conflict (task_uuid) do update
     set deferred = false
   where waiting_tasks.deferred
     and tasker.get_current_task_state(p_task_uuid) <> 'pending';
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.await_orchestrator(uuid) is
$$Sees to it that an orchestrator evaluates a task that is still open, so that no direct call can leave it stuck.$$;

revoke all on function tasker.await_orchestrator(uuid) from public;
