create or replace function tasker.get_step_readiness_status(p_task_uuid uuid, p_step_uuids uuid[] default null)
  returns setof tasker.step_readiness_status
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
  perform tasker.check_array_size('steps', cardinality(p_step_uuids), 100000);
  perform tasker.check_bound(p_task_uuid);
  if p_step_uuids is null then
    return query
    select r.*
      from tasker.step_readiness() as r
     where r.task_uuid = p_task_uuid
     order by r.workflow_step_uuid;
  else
    return query
    select r.*
      from tasker.step_readiness() as r
     where r.task_uuid = p_task_uuid
       and r.workflow_step_uuid = any (p_step_uuids)
     order by r.workflow_step_uuid;
  end if;

  if not found then
    perform tasker.check_task_exists(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_step_readiness_status is
$$Returns the readiness of all steps of a task, or of the steps in p_step_uuids, in the order of step numbers: whether the step may run now, and the obstacles if not.

The readiness follows from the step's parents, attempts and times, and does not depend on p_step_uuids. Skips UUIDs that are not steps of the task. Raises TK404 if the task does not exist, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_readiness_status
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
