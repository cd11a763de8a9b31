create or replace function tasker.calculate_step_depth(p_step_uuid uuid)
  returns integer
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
begin
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_step_exists(p_step_uuid);
  return (tasker.task_levels(tasker.task_uuid_of(p_step_uuid)))[tasker.step_no_of(p_step_uuid)];
end;
$$;

comment on function tasker.calculate_step_depth is
$$Returns the level of a step: the length of the longest path to it from a step without parents, which has level 0.

The cost is linear in the number of the task's steps and edges. Raises TK404 if the step does not exist, and TK403 if
the caller is bound to other namespaces.$$;

grant execute on function tasker.calculate_step_depth
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
