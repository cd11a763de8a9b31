create or replace function tasker.get_step_dag_relationships(p_task_uuid uuid)
  returns setof tasker.step_dag_nodes
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
  v_roots  integer[];
  v_depths integer[];
begin
  perform tasker.check_bound(p_task_uuid);
  select coalesce(array_agg(l.step_no::integer), '{}')
    into v_roots
    from unnest(v_levels) with ordinality as l (level, step_no)
   where l.level = 0;
  select tasker.graph_distances(
      cardinality(v_levels),
      v_roots,
      coalesce(array_agg(e.from_step_no), '{}'),
      coalesce(array_agg(e.to_step_no), '{}')
    )
    into v_depths
    from tasker.workflow_step_edges as e
   where e.task_uuid = p_task_uuid;

  return query
  select
    s.workflow_step_uuid, s.task_uuid, s.named_step_uuid, s.name,
    p.uuids, c.uuids, cardinality(p.uuids), cardinality(c.uuids),
    cardinality(p.uuids) = 0, cardinality(c.uuids) = 0,
    v_depths[s.step_no], v_levels[s.step_no], p.outcomes
  from tasker.workflow_steps as s
  cross join lateral (
    select coalesce(array_agg(tasker.step_uuid(e.task_uuid, e.from_step_no) order by e.from_step_no), '{}') as uuids,
           coalesce(array_agg(coalesce(e.outcome, 'complete') order by e.from_step_no), '{}') as outcomes
      from tasker.workflow_step_edges as e
     where e.task_uuid = s.task_uuid
       and e.to_step_no = s.step_no
  ) as p
  cross join lateral (
    select coalesce(array_agg(tasker.step_uuid(e.task_uuid, e.to_step_no) order by e.to_step_no), '{}') as uuids
      from tasker.workflow_step_edges as e
     where e.task_uuid = s.task_uuid
       and e.from_step_no = s.step_no
  ) as c
  where s.task_uuid = p_task_uuid
  order by s.step_no;

  if not found then
    perform tasker.check_task_exists(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_step_dag_relationships is
$$Returns each step of a task, by step number, with its parents, its children and its position between the roots and the
leaves of the graph.

The cost is linear in the number of steps and edges. Raises TK404 if the task does not exist, and TK403 if the caller is
bound to other namespaces.$$;

grant execute on function tasker.get_step_dag_relationships
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
