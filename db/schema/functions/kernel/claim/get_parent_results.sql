create or replace function tasker.get_parent_results(
  p_step_uuid      uuid,
  p_after_step_no  integer  default 0,
  p_limit          integer  default 100
)
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
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.check_bound_steps(array[p_step_uuid]);

  return query
  with parents as materialized (
    select p.step_no, p.name, p.results, p.expansion is not null and p.results is null as maps
      from tasker.workflow_step_edges as e
     cross join lateral (
       select p.step_no, p.name, p.results, p.state, p.expansion
         from tasker.workflow_steps as p
        where p.task_uuid = e.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     where e.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and e.to_step_no = tasker.step_no_of(p_step_uuid)
       and p.state in ('complete', 'resolved_manually')
  ),
  pages as (
    -- A compensation has no parents. It gets the result of the step that it undoes.
    select u.step_no, u.name, u.results, null::text as map
      from tasker.workflow_steps as s
     cross join lateral (
       select u.step_no, u.name, u.results
         from tasker.workflow_steps as u
        where u.task_uuid = s.task_uuid
          and u.step_no = s.undo_no
          and u.step_no > coalesce(p_after_step_no, 0)
          and u.state = 'complete'
       offset 0
     ) as u
     where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and s.step_no = tasker.step_no_of(p_step_uuid)
    union all
    select p.step_no, p.name, case when p.maps then '[]' else p.results end, null
      from parents as p
     where p.step_no > coalesce(p_after_step_no, 0)
       and (
         not p.maps
         or tasker.composed_result(tasker.task_uuid_of(p_step_uuid), p.step_no, 2) is not null
       )
    union all
    -- An instance that has settled without a result keeps its place in the list of its map.
    select i.step_no, i.name, i.results, p.name
      from parents as p
     cross join lateral (
       select i.step_no, i.name, i.results
         from tasker.added_step_edges as e
        cross join lateral (
          select i.step_no, i.name, i.results, i.map_no
            from tasker.workflow_steps as i
           where i.task_uuid = e.task_uuid
             and i.step_no = e.from_step_no
          offset 0
        ) as i
        where e.task_uuid = tasker.task_uuid_of(p_step_uuid)
          and e.to_step_no = p.step_no
          and e.from_step_no > coalesce(p_after_step_no, 0)
          and i.map_no = p.step_no
        order by e.from_step_no
        limit p_limit
     ) as i
     where p.maps
  )
  select p.step_no, p.name, p.results, p.map
    from pages as p
   order by p.step_no
   limit p_limit;
end;
$$;

comment on function tasker.get_parent_results is
$$Returns the results of a step's parents that have succeeded, in the order of their numbers, in pages: the last number of one page is p_after_step_no of the next. Handlers call this function for results that a claim omitted because they are large. For a parent that is a map, returns a row for each element instead, in the order of the elements: the column "name" has the name of the instance, the column "map" the name of the parent. The result is null for an element without a result. For a compensation, returns one row, for the step that it undoes, if that step has a result.

Raises TK404 if there is no such step, TK422 for a limit out of range, TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.get_parent_results
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
