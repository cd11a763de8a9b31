create or replace function tasker.tasks_below(p_task_uuids uuid[])
  returns setof uuid
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_level uuid[] := p_task_uuids;
begin
  loop
    -- A step that was tried again has started several tasks, and has the UUID of the last one. All these tasks have the
    -- correlation of the step's task as their parent correlation.
    v_level := array(
      select distinct c.task_uuid
        from unnest(v_level) as u (task_uuid)
       cross join lateral (
         select t.correlation_id
           from tasker.tasks as t
          where t.task_uuid = u.task_uuid
         offset 0
       ) as t
       cross join lateral (
         select c.task_uuid
           from tasker.tasks as c
          where c.parent_correlation_id = t.correlation_id
            and tasker.task_uuid_of(c.parent_step_uuid) = u.task_uuid
         offset 0
       ) as c
    );
    exit when v_level = '{}';
    return query select l.task_uuid from unnest(v_level) as l (task_uuid);
  end loop;
end;
$$;

comment on function tasker.tasks_below is
$$Returns the tasks that steps of these tasks have started, the tasks that the steps of those tasks have started, and so
on.$$;
