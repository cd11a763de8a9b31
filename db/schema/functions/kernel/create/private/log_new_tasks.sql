create or replace function tasker.log_new_tasks(p_task tasker.tasks, p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  -- Subqueries, so that each object is built once.
  insert into tasker.task_transition_log (task_uuid, sort_key, event, from_state, to_state, metadata, created_at)
  select
    u.task_uuid, p.position, p.event, p.from_state, p.to_state,
    case p.event
      when 'ReadyStepsFound' then (select jsonb_build_object('count', p_task.active_steps))
      when 'StepsEnqueued' then (
        select jsonb_build_object('count', p_task.active_steps, 'step_nos', array(
          select s.step_no
            from tasker.named_tasks_named_steps as s
           where s.named_task_uuid = p_task.named_task_uuid
             and s.total_parents = 0
           order by s.step_no
           limit 100
        ))
      )
    end,
    p_task.requested_at
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.task_paths as p
  where p.outcome = case p_task.state when 'complete' then 'complete' when 'steps_in_process' then 'enqueued' else 'waiting' end
    and p.start_state = 'pending';
end;
$$;

comment on function tasker.log_new_tasks is
$$Logs the path of new tasks that start at once: to steps_in_process, without steps to complete, or, if all their first steps wait, to waiting_for_dependencies.$$;
