create or replace function tasker.get_task_execution_contexts(p_task_uuids uuid[])
  returns setof tasker.task_execution_contexts
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
  perform tasker.check_array_size('tasks', cardinality(p_task_uuids), 10000);
  perform tasker.check_bound_steps(p_task_uuids);
  return query
  select c.*
    from (select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid)) as u
    join tasker.task_contexts() as c
      on c.task_uuid = u.task_uuid
   order by c.task_uuid;
end;
$$;

comment on function tasker.get_task_execution_contexts is
$$Returns the rows of get_task_execution_context for many tasks, by task.

Returns one row for a task that is named twice, and no row for a task that does not exist. Raises TK403 if the caller is
bound to other namespaces.$$;

grant execute on function tasker.get_task_execution_contexts
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
