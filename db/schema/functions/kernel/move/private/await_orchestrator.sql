create or replace function tasker.await_orchestrator(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.waiting_tasks as w
     set deferred = false
    from tasker.tasks as t
   where w.task_uuid = p_task_uuid
     and w.deferred
     and t.task_uuid = p_task_uuid
     and t.state <> 'pending';

  insert into tasker.waiting_tasks (task_uuid, priority, dispatch_rank)
  select
    t.task_uuid,
    t.priority,
    tasker.dispatch_rank(t.priority, n.priority_modifier, tasker.clock(), s.retries, t.requested_at, t.deadline)
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral (
    select sum(greatest(s.attempts - 1, 0) + (s.state = 'waiting_for_retry')::integer) as retries
      from tasker.workflow_steps as s
     where s.task_uuid = t.task_uuid
  ) as s
  where t.task_uuid = p_task_uuid
    and not t.complete
    and not exists (select from tasker.waiting_tasks as w where w.task_uuid = p_task_uuid)
  on conflict (task_uuid) do nothing;
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.await_orchestrator is
$$Makes an orchestrator evaluate a task that is still open, so that no direct call can leave it stuck.$$;
