create or replace function tasker.insert_tasks(
  p_task        tasker.tasks,
  p_task_uuids  uuid[],
  p_contexts    jsonb[],
  p_hashes      bytea[],
  p_given       boolean
)
  returns uuid[]
  language plpgsql
as $$
declare
  v_inserted uuid[] := '{}';
  v_uuid     uuid;
begin
  -- The statement is written twice, because a new UUID cannot exist yet, and "on conflict" adds a third to the cost of
  -- the insertion.
  if not p_given then
    insert into tasker.tasks (
      task_uuid, named_task_uuid, state, complete, has_added_edges, priority, total_steps, open_steps, active_steps,
      suspended_steps, transition_count,
      requested_at, updated_at, started_at, completed_at, deadline, correlation_id, parent_correlation_id,
      identity_hash, initiator, login, role, source_system, reason, tags, headers, context,
      parent_step_uuid, depth, undo, creator_namespaces
    )
    select
      u.task_uuid, p_task.named_task_uuid, p_task.state, p_task.complete, p_task.has_added_edges, p_task.priority, p_task.total_steps,
      p_task.open_steps, p_task.active_steps, p_task.suspended_steps, p_task.transition_count, p_task.requested_at, p_task.requested_at, p_task.started_at,
      p_task.completed_at, p_task.deadline, coalesce(p_task.correlation_id, u.task_uuid),
      p_task.parent_correlation_id, u.identity_hash, p_task.initiator, p_task.login, p_task.role,
      p_task.source_system, p_task.reason, p_task.tags, p_task.headers, u.context,
      p_task.parent_step_uuid, p_task.depth, p_task.undo, p_task.creator_namespaces
    from unnest(p_task_uuids, p_contexts, p_hashes) as u (task_uuid, context, identity_hash);
    return coalesce(p_task_uuids, '{}');
  end if;

  for v_uuid in
    insert into tasker.tasks (
      task_uuid, named_task_uuid, state, complete, has_added_edges, priority, total_steps, open_steps, active_steps,
      suspended_steps, transition_count,
      requested_at, updated_at, started_at, completed_at, deadline, correlation_id, parent_correlation_id,
      identity_hash, initiator, login, role, source_system, reason, tags, headers, context,
      parent_step_uuid, depth, undo, creator_namespaces
    )
    select
      u.task_uuid, p_task.named_task_uuid, p_task.state, p_task.complete, p_task.has_added_edges, p_task.priority, p_task.total_steps,
      p_task.open_steps, p_task.active_steps, p_task.suspended_steps, p_task.transition_count, p_task.requested_at, p_task.requested_at, p_task.started_at,
      p_task.completed_at, p_task.deadline, coalesce(p_task.correlation_id, u.task_uuid),
      p_task.parent_correlation_id, u.identity_hash, p_task.initiator, p_task.login, p_task.role,
      p_task.source_system, p_task.reason, p_task.tags, p_task.headers, u.context,
      p_task.parent_step_uuid, p_task.depth, p_task.undo, p_task.creator_namespaces
    from unnest(p_task_uuids, p_contexts, p_hashes) as u (task_uuid, context, identity_hash)
    on conflict (task_uuid) do nothing
    returning task_uuid
  loop
    v_inserted := v_inserted || v_uuid;
  end loop;
  return v_inserted;
end;
$$;

comment on function tasker.insert_tasks is
$$Inserts the rows of tasks as copies of the prototype. Returns the UUIDs of the tasks that did not exist. p_given is true if the caller chose the UUIDs, which may already exist.$$;
