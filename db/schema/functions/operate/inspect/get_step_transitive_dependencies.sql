create or replace function tasker.get_step_transitive_dependencies(p_step_uuid uuid)
  returns setof tasker.step_transitive_dependencies
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
  return query
  select
    s.name, s.workflow_step_uuid, s.task_uuid, a.distance, s.state,
    s.state in ('complete', 'resolved_manually'), s.results
  from unnest(tasker.step_ancestors(p_step_uuid)) with ordinality as a (distance, step_no)
  cross join lateral (
    select s.*
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and s.step_no = a.step_no
    offset 0
  ) as s
  where a.distance > 0
  order by a.distance, s.step_no;

  if not found then
    perform tasker.check_step_exists(p_step_uuid);
  end if;
end;
$$;

comment on function tasker.get_step_transitive_dependencies is
$$Returns the steps that a step depends on, directly or not, the nearest first. Each of these steps has one row, with
its shortest distance. Returns no row for a step without parents.

The cost is linear in the number of edges above the step, to any depth. Raises TK404 if the step does not exist, and
TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_transitive_dependencies
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
