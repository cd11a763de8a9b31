create or replace function tasker.get_ancestor_result(p_step_uuid uuid, p_name text)
  returns setof tasker.parent_results
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
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.check_bound_steps(array[p_step_uuid]);

  return query
  select
    s.step_no,
    s.name,
    coalesce(
      s.results,
      case when s.expansion is not null
        then tasker.composed_result(s.task_uuid, s.step_no, tasker.setting_integer('result_bytes'))
      end
    ),
    null::text
  from tasker.workflow_steps as s
  where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
    and s.name = p_name
    and s.state in ('complete', 'resolved_manually')
    and (tasker.step_ancestors(p_step_uuid))[s.step_no] > 0;
end;
$$;

comment on function tasker.get_ancestor_result is
$$Returns the result of the step p_name of the same task if that step has succeeded and p_step_uuid depends on it, directly or indirectly. Otherwise returns no row. A claim returns only the results of the step's parents. Handlers call this function for the results of the parents' own ancestors.

The cost is linear in the number of edges above the step. Raises TK404 if there is no such step, TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.get_ancestor_result
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
