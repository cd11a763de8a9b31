create or replace function tasker.lock_task_facts(p_task_uuid uuid)
  returns tasker.task_facts
  language plpgsql
as $$
declare
  v_task tasker.task_facts;
begin
  -- A locking query returns the newest version of the row, whatever the snapshot of the statement is.
  select
    t.task_uuid, k.namespace, k.transport, t.named_task_uuid, t.has_added_edges, tasker.failure_policy(k.on_failure, t.undo),
    t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
    t.parent_step_uuid, t.undo, t.total_steps, k.runs is not null
    into v_task
    from (
      select
        t.task_uuid, t.named_task_uuid, t.has_added_edges,
        t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
        t.parent_step_uuid, t.undo, t.total_steps
        from tasker.tasks as t
       where t.task_uuid = p_task_uuid
         for no key update
    ) as t
    join tasker.creation_plans as k
      on k.named_task_uuid = t.named_task_uuid;
  return v_task;
end;
$$;

comment on function tasker.lock_task_facts is
$$Locks a task and returns its facts. All facts are null if the task does not exist. tasker.task_facts does the same for many tasks.$$;
