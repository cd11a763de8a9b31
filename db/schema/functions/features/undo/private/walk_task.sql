create or replace function tasker.walk_task(p_task tasker.tasks, p_outcome text)
  returns void
  language plpgsql
as $$
declare
  v_now  timestamptz := greatest(tasker.write_clock(), p_task.updated_at);
  v_last tasker.task_transition_log;
begin
  with logged as (
    insert into tasker.task_transition_log (task_uuid, sort_key, event, from_state, to_state, login, role, created_at)
    select
      p_task.task_uuid, p_task.transition_count + p.position, p.event, p.from_state, p.to_state,
      case when p.position = 1 then session_user end, case when p.position = 1 then tasker.set_role() end, v_now
    from tasker.task_paths as p
    where p.outcome = p_outcome
      and p.start_state = p_task.state
    order by p.position
    returning sort_key, event, to_state
  )
  select l.sort_key, l.event, l.to_state
    into v_last.sort_key, v_last.event, v_last.to_state
    from logged as l
   order by l.sort_key desc
   limit 1;
  perform tasker.settle_task(
    tasker.lock_task_facts(p_task.task_uuid), v_last.sort_key, v_last.event, v_last.to_state, null, v_now
  );
end;
$$;

comment on function tasker.walk_task is
$$Moves a task along the path of an outcome, whatever its counters say. The caller holds the task's lock.$$;
