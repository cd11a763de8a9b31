create or replace function tasker.may_see_task(p_task_uuid uuid)
  returns boolean
  language plpgsql
  stable
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
  v_bound text[] := tasker.bound_namespaces();
begin
  if v_bound is null then
    return true;
  end if;
  return exists (
    select
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where t.task_uuid = tasker.task_uuid_of(p_task_uuid)
       and n.name = any (v_bound)
  );
end;
$$;

comment on function tasker.may_see_task is
$$Returns true if a task, or the task of a step, is in a namespace that the caller may work in. If the caller is not bound, returns true for every UUID.$$;

grant execute on function tasker.may_see_task
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
