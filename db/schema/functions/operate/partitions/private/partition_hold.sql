create or replace function tasker.partition_hold(p_range tasker.partition_ranges)
  returns setof tasker.held_partitions
  language plpgsql
  stable
  rows 1
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_hold     tasker.held_partitions;
  v_retained timestamptz;
  v_noted    bigint;
begin
  select tasker.clock() - c.retention into strict v_retained from tasker.partition_config as c;

  -- With constants, so that no other partition is planned or locked.
  execute format(
    $sql$
      select count(*) filter (where h.kind = 'open'),
             count(*) filter (where h.kind = 'investigated'),
             count(*) filter (where h.kind = 'young'),
             count(*) filter (where h.kind = 'noted'),
             (array_agg(h.task_uuid order by h.task_uuid))[1]
        from (
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
          -- Another task has not received the note of its end, or has not been cancelled.
          select 'noted', m.task_uuid
            from tasker.timers as m
           where m.task_uuid >= %1$L
             and m.task_uuid < %2$L
             and m.kind in ('child_ended', 'cancel_child', 'serve_run')
          union all
          -- A failed task holds up its sequence.
          select 'noted', r.task_uuid
            from tasker.runs as r
           where r.task_uuid >= %1$L
             and r.task_uuid < %2$L
          union all
          -- The UUIDs of these tasks lie in the last millisecond of the range, because no newer range
          -- existed.
          select 'young', t.task_uuid
            from tasker.tasks as t
           where t.task_uuid >= %3$L
             and t.task_uuid < %2$L
             and t.requested_at > %4$L
             and t.complete
        ) as h (kind, task_uuid)
    $sql$,
    p_range.from_uuid, p_range.to_uuid, tasker.uuid_v7_floor(p_range.ends_at - interval '1 millisecond'), v_retained
  )
    into v_hold.open_tasks, v_hold.investigations, v_hold.young_tasks, v_noted, v_hold.first_task;

  if v_hold.first_task is null then
    return;
  end if;
  v_hold.starts_at := p_range.starts_at;
  v_hold.ends_at := p_range.ends_at;
  v_hold.reason := 'tasks: ' || concat_ws(
    ', ',
    nullif(v_hold.open_tasks, 0) || ' not ended',
    nullif(v_hold.investigations, 0) || ' under investigation',
    nullif(v_hold.young_tasks, 0) || ' younger than the range',
    nullif(v_noted, 0) || ' with a note to another task'
  );
  return next v_hold;
end;
$$;

comment on function tasker.partition_hold is
$$Returns why a range may not be dropped. No row if the range may be dropped.$$;
