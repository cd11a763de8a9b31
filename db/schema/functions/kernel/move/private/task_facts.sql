create or replace function tasker.task_facts(p_task_uuids uuid[])
  returns tasker.task_facts[]
  language plpgsql
as $$
declare
  v_tasks uuid[] := array(select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid) order by u.task_uuid);
  v_first uuid   := v_tasks[1];
  v_last  uuid   := v_tasks[cardinality(v_tasks)];
begin
  -- A locking query returns the newest version of the row, whatever the snapshot of the statement is.
  return array(
    select (
        t.task_uuid, k.namespace, k.transport, t.named_task_uuid, t.has_added_edges, tasker.failure_policy(k.on_failure, t.undo),
        t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
        t.parent_step_uuid, t.undo, t.total_steps, k.runs is not null
      )::tasker.task_facts
      from unnest(v_tasks) as u (task_uuid)
     cross join lateral (
       select
         t.task_uuid, t.named_task_uuid, t.has_added_edges,
         t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
         t.parent_step_uuid, t.undo, t.total_steps
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.task_uuid between v_first and v_last
          for no key update
     ) as t
      join tasker.creation_plans as k
        on k.named_task_uuid = t.named_task_uuid
  );
end;
$$;

comment on function tasker.task_facts is
$$Locks tasks in the order of their UUIDs, and returns their facts in this order, for tasker.apply_moves. Returns the facts of each task once, and omits tasks that do not exist. Waits for the locks, so a caller that must not wait must already hold them. The facts stay true until the caller moves one of the tasks.

tasker.lock_task_facts does the same for one task.$$;
