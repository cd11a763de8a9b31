create or replace function tasker.get_step_incident(p_step_uuid uuid)
  returns text
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
  return (
    select i.incident
      from tasker.error_steps as e
      join tasker.incidents as i
        on i.incident = 'failing:' || e.fingerprint
     where e.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and e.step_no = tasker.step_no_of(p_step_uuid)
       and e.stands <> 'over'
       and i.ended_at is null
  );
end;
$$;

comment on function tasker.get_step_incident is
$$Returns the name of the open incident of the cause for which a step failed last. Returns null if the step has moved
since then, or if its cause has no open incident.

Also returns null if there is no such step. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_incident to tasker_orchestrator, tasker_operator, tasker_reader;
