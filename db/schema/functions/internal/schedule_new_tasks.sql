create or replace function tasker.schedule_new_tasks(
  p_task_uuids  uuid[],
  p_priority    integer,
  p_started     boolean,
  p_start_at    timestamptz,
  p_deadline    timestamptz
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  if p_deadline is not null then
    insert into tasker.timers (task_uuid, kind, due_at)
    select
      u.task_uuid,
      'task_deadline',
      p_deadline
    from unnest(p_task_uuids) as u (task_uuid);
  end if;

  if p_started then
    return;
  end if;
  if p_start_at > tasker.clock() then
    insert into tasker.timers (task_uuid, kind, due_at)
    select
      u.task_uuid,
      'start_task',
      p_start_at
    from unnest(p_task_uuids) as u (task_uuid);
    return;
  end if;
  insert into tasker.waiting_tasks (task_uuid, priority, deferred, dispatch_rank)
  select
    u.task_uuid,
    p_priority,
    true,
    tasker.dispatch_rank(p_priority, n.priority_modifier, tasker.clock(), 0, tasker.clock(), p_deadline)
  from unnest(p_task_uuids) as u (task_uuid)
  cross join lateral (
    select t.named_task_uuid
      from tasker.tasks as t
     where t.task_uuid = u.task_uuid
    offset 0
  ) as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid;
end;
$$;

comment on function tasker.schedule_new_tasks(uuid[], integer, boolean, timestamptz, timestamptz) is
$$What makes new tasks move later: a timer for the start and one for the deadline, or, if they wait for an orchestrator, a row for it.$$;

revoke all on function tasker.schedule_new_tasks(uuid[], integer, boolean, timestamptz, timestamptz) from public;
