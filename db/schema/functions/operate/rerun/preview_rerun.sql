create or replace function tasker.preview_rerun(p_step_uuid uuid)
  returns setof tasker.step_reruns
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
  return query
  select f.*
    from tasker.find_reruns(tasker.task_uuid_of(p_step_uuid), tasker.step_no_of(p_step_uuid)) as f;
end;
$$;

comment on function tasker.preview_rerun is
$$Returns, by number, the steps that tasker.rerun_step would run again or replace: the step and all steps that depend on
it. Changes nothing, and does not say whether a rerun would be refused. The cost is linear in the number of the task's
steps and edges. Raises TK404 if there is no such step, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.preview_rerun to tasker_orchestrator, tasker_operator, tasker_reader;
