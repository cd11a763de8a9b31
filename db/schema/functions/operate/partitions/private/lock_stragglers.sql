create or replace function tasker.lock_stragglers(p_from_uuid uuid, p_to_uuid uuid)
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_tasks uuid[];
  v_steps integer;
begin
  perform set_config(
    'lock_timeout', ceil(extract(epoch from tasker.partition_lock_budget()) * 1000)::text || 'ms', true
  );
  -- Lock tasks, then steps, as the engine does. Use constants, so that PostgreSQL prunes the other
  -- partitions.
  execute format(
    $sql$
      select array_agg(l.task_uuid order by l.task_uuid)
        from (
          select o.task_uuid
            from tasker.tasks as o
           where o.task_uuid >= %1$L
             and o.task_uuid < %2$L
             and not o.complete
          union
          select d.task_uuid
            from tasker.tasks_dlq as d
           where d.task_uuid >= %1$L
             and d.task_uuid < %2$L
             and d.resolution_status = 'pending'
           order by task_uuid
        ) as h
       cross join lateral (
         select t.task_uuid
           from tasker.tasks as t
          where t.task_uuid = h.task_uuid
            and t.task_uuid >= %1$L
            and t.task_uuid < %2$L
            for update
       ) as l
    $sql$,
    p_from_uuid, p_to_uuid
  ) into v_tasks;

  execute format(
    $sql$
      select count(*)
        from (
          select
            from tasker.workflow_steps as s
           where s.task_uuid >= %1$L
             and s.task_uuid < %2$L
             and s.task_uuid = any ($1)
           order by s.task_uuid, s.step_no
             for update of s
        ) as l
    $sql$,
    p_from_uuid, p_to_uuid
  ) into v_steps using v_tasks;
  return coalesce(v_tasks, '{}');
end;
$$;

comment on function tasker.lock_stragglers is
$$Locks the tasks between two UUIDs that have not ended or are under investigation, and their steps. Returns these
tasks, which no other session can change from then on.$$;
