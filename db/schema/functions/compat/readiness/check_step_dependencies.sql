create or replace function tasker.check_step_dependencies(p_step_uuid uuid)
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
  v_satisfied boolean;
begin
  perform tasker.check_bound(p_step_uuid);
  select tasker.join_holds(
      s.join_mode,
      count(e.to_step_no)::integer,
      count(*) filter (where o.state not in ('complete', 'resolved_manually', 'cancelled'))::integer,
      count(*) filter (
        where case when e.outcome is not null then tasker.outcome_met(e.outcome, o.task_uuid, o.step_no, o.state)
          else o.state in ('complete', 'resolved_manually')
            and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, o.results, o.expansion, o.task_uuid, o.step_no))
        end
      )::integer
    )
    into v_satisfied
    from tasker.workflow_steps as s
    left join tasker.workflow_step_edges as e
      on e.task_uuid = s.task_uuid
     and e.to_step_no = s.step_no
    left join lateral (
      select o.task_uuid, o.step_no, o.state, o.results, o.expansion
        from tasker.workflow_steps as o
       where o.task_uuid = e.task_uuid
         and o.step_no = e.from_step_no
      offset 0
    ) as o
      on true
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
   group by s.join_mode;

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_satisfied;
end;
$$;

comment on function tasker.check_step_dependencies is
$$Returns true if a step's parents have all settled and its join holds for their outcomes, read from the parents themselves.

tasker.step_dependencies_met computes the same from the engine's counters. Raises TK404 if the step does not exist, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.check_step_dependencies
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
