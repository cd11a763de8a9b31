create or replace function tasker.list_progress(p_task_uuids uuid[])
  returns setof tasker.stream_details
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
  perform tasker.check_limit(greatest(cardinality(p_task_uuids), 1), 1000);
  perform tasker.check_bound_steps(p_task_uuids);
  return query
  select d.*
    from unnest(p_task_uuids) with ordinality as u (task_uuid, place)
   cross join lateral (
     select h.task_uuid, tasker.step_uuid(h.task_uuid, h.step_no) as step_uuid, h.step_no, s.name as step_name, h.name, h.value,
            h.first_no, h.last_no, h.bytes, h.attempt, h.changed_at
       from (
         select h.*
           from tasker.step_streams as h
          where h.task_uuid = u.task_uuid
          order by h.step_no
          limit 1000
       ) as h
       join tasker.workflow_steps as s
         on s.task_uuid = h.task_uuid
        and s.step_no = h.step_no
      where h.name = 'progress'
      order by h.changed_at desc
      limit 1
   ) as d
   order by u.place;
end;
$$;

comment on function tasker.list_progress is
$$Returns the progress of these tasks (at most 1,000) in the given order: for each task, the newest value "progress" of its steps. A task that has no progress or does not exist has no row. Reads the first 1,000 values and streams of each task.

Raises TK422 for too many tasks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_progress
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
