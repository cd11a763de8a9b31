create or replace function tasker.calculate_dependency_levels(p_task_uuid uuid)
  returns setof tasker.dependency_levels
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
  v_levels integer[] := tasker.task_levels(p_task_uuid);
begin
  perform tasker.check_bound(p_task_uuid);
  return query
  select s.workflow_step_uuid, v_levels[s.step_no]
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
   order by 2, s.step_no;

  if not found then
    perform tasker.check_task_exists(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.calculate_dependency_levels is
$$Returns each step of a task with its level, by level, then by step number. A step without parents has level 0. The
level of any other step is 1 more than the highest level of its parents.

The cost is linear in the number of steps and edges. Raises TK404 if the task does not exist, and TK403 if the caller is
bound to other namespaces.$$;

grant execute on function tasker.calculate_dependency_levels
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
