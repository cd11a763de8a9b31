create or replace function tasker.walk_task(p_task tasker.tasks, p_outcome text)
  returns void
  language plpgsql
as $$
declare
  v_now  timestamptz := greatest(tasker.write_clock(), p_task.updated_at);
  v_last record;
begin
  -- Write each transition as a path of its own, because the combined path of the outcome would imply metadata that these
  -- transitions do not have.
  insert into tasker.task_log (task_uuid, sort_key, path, login, role, created_at)
  select
    p_task.task_uuid, p_task.transition_count + p.position, tasker.task_path(p_task.task_uuid, p.from_state, p.event, p.to_state),
    case when p.position = 1 then session_user end, case when p.position = 1 then tasker.set_role() end, v_now
  from tasker.task_paths as p
  where p.outcome = p_outcome
    and p.start_state = p_task.state
  order by p.position;
  select p_task.transition_count + p.position as sort_key, p.event, p.to_state
    into v_last
    from tasker.task_paths as p
   where p.outcome = p_outcome
     and p.start_state = p_task.state
     and p.last;
  perform tasker.settle_task(
    tasker.lock_task_facts(p_task.task_uuid), v_last.sort_key, v_last.event, v_last.to_state, null, v_now
  );
end;
$$;

comment on function tasker.walk_task is
$$Moves a task along the path of an outcome, without checking the task's counters. The caller holds the task's lock.$$;
