create or replace function tasker.rank_waiting_tasks()
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_ranked bigint;
begin
  -- A change of less than a twentieth of a point is not worth a new version of the row.
  with changed as (
    update tasker.waiting_tasks as w
       set dispatch_rank = o.dispatch_rank
      from (
        select
          l.task_uuid,
          tasker.dispatch_rank(
            t.priority, n.priority_modifier, l.waiting_since, s.retries, t.requested_at, t.deadline
          ) as dispatch_rank
        from (
          select w.task_uuid, w.waiting_since
            from tasker.waiting_tasks as w
           order by w.task_uuid
             for update skip locked
        ) as l
        join tasker.tasks as t
          on t.task_uuid = l.task_uuid
        join tasker.named_tasks as k
          on k.named_task_uuid = t.named_task_uuid
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
        cross join lateral (
          select coalesce(sum(greatest(s.attempts - 1, 0) + (s.state = 'waiting_for_retry')::integer), 0) as retries
            from tasker.workflow_steps as s
           where s.task_uuid = l.task_uuid
        ) as s
      ) as o
     where w.task_uuid = o.task_uuid
       and abs(w.dispatch_rank - o.dispatch_rank) > 0.05
    returning w.task_uuid
  )
  select count(*) into v_ranked from changed;
  return v_ranked;
end;
$$;

comment on function tasker.rank_waiting_tasks is
$$Updates the order of the waiting tasks for approaching deadlines, retries, and changed modifiers and factors. Returns how many rows it changed.

Maintenance calls this function. Skips rows that other transactions hold.$$;
