create or replace function tasker.lock_task_facts(p_task_uuid uuid)
  returns tasker.task_facts
  language plpgsql
as $$
declare
  v_task tasker.task_facts;
begin
  -- A locking query returns the newest row, whatever the statement's snapshot.
  select
    t.task_uuid, n.name, n.transport, t.named_task_uuid, t.has_added_edges, tasker.failure_policy(k.on_failure, t.undo),
    t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
    t.parent_step_uuid, t.undo
    into v_task
    from (
      select
        t.task_uuid, t.named_task_uuid, t.has_added_edges,
        t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
        t.parent_step_uuid, t.undo
        from tasker.tasks as t
       where t.task_uuid = p_task_uuid
         for no key update
    ) as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid;
  return v_task;
end;
$$;

comment on function tasker.lock_task_facts is
$$Locks a task and returns its facts, all null if it does not exist: tasker.task_facts for one task.$$;
