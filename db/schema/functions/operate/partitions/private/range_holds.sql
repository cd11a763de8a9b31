create or replace function tasker.range_holds(p_range tasker.partition_ranges)
  returns setof tasker.range_holds
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
  v_retained timestamptz;
begin
  select tasker.clock() - c.retention into strict v_retained from tasker.partition_config as c;

  -- Use constants in the query, so that no other partition is planned or locked.
  return query execute format(
    $sql$
      select 'open', t.task_uuid
        from tasker.tasks as t
       where t.task_uuid >= %1$L
         and t.task_uuid < %2$L
         and not t.complete
      union all
      select 'investigated', d.task_uuid
        from tasker.tasks_dlq as d
       where d.task_uuid >= %1$L
         and d.task_uuid < %2$L
         and d.resolution_status = 'pending'
      union all
      -- A note has not been fired, so another task does not know the end of this task yet, or has not been cancelled
      -- yet.
      select 'noted', m.task_uuid
        from tasker.timers as m
       where m.task_uuid >= %1$L
         and m.task_uuid < %2$L
         and m.kind in ('child_ended', 'cancel_child', 'serve_run')
      union all
      -- A failed task still blocks its sequence.
      select 'noted', r.task_uuid
        from tasker.runs as r
       where r.task_uuid >= %1$L
         and r.task_uuid < %2$L
      union all
      -- These tasks have UUIDs in the last millisecond of the range because no newer range existed.
      select 'young', t.task_uuid
        from tasker.tasks as t
       where t.task_uuid >= %3$L
         and t.task_uuid < %2$L
         and t.requested_at > %4$L
         and t.complete
    $sql$,
    p_range.from_uuid, p_range.to_uuid, tasker.uuid_v7_floor(p_range.ends_at - interval '1 millisecond'), v_retained
  );
end;
$$;

comment on function tasker.range_holds is
$$Returns the tasks for which a range may not be dropped.$$;
