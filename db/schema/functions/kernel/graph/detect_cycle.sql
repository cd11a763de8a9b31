create or replace function tasker.detect_cycle(p_from_step_uuid uuid, p_to_step_uuid uuid)
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
  v_task     uuid := tasker.task_uuid_of(p_from_step_uuid);
  v_template uuid;
  v_added    boolean;
begin
  perform tasker.check_bound_steps(array[p_from_step_uuid, p_to_step_uuid]);
  if p_from_step_uuid is null or p_to_step_uuid is null or v_task <> tasker.task_uuid_of(p_to_step_uuid) then
    raise exception using
      errcode = 'TK422',
      message = format(
        'steps %s and %s belong to different tasks',
        coalesce(p_from_step_uuid::text, 'null'), coalesce(p_to_step_uuid::text, 'null')
      ),
      hint    = 'An edge joins two steps of the same task.';
  end if;

  select t.named_task_uuid, t.has_added_edges
    into v_template, v_added
    from tasker.tasks as t
   where t.task_uuid = v_task;

  -- Collect nodes, not paths. "union" removes nodes that were already reached, so each step is visited once.
  return exists (
    with recursive reached (step_no) as (
      select tasker.step_no_of(p_to_step_uuid)
      union
      select e.to_step_no
        from reached as r
       cross join lateral tasker.step_children(v_task, v_template, v_added, r.step_no) as e
    )
    select
      from reached as r
     where r.step_no = tasker.step_no_of(p_from_step_uuid)
  );
end;
$$;

comment on function tasker.detect_cycle is
$$Returns true if an edge between these two steps would close a cycle: if the first step can be reached from the second step, or both are the same step.

The cost is linear in the number of edges below the second step. Raises TK422 if the steps belong to different tasks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.detect_cycle
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
