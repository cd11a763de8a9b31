create or replace function tasker.log_new_tasks(p_task tasker.tasks, p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  -- The paths of tasker.task_paths from pending: 38 to steps_in_process, 19 to complete, 33 to waiting_for_dependencies.
  insert into tasker.task_log (task_uuid, sort_key, path, outcome, created_at)
  select
    u.task_uuid, p_task.transition_count,
    case p_task.state when 'steps_in_process' then 38 when 'complete' then 19 else 33 end,
    case when p_task.state = 'steps_in_process' then (
      select jsonb_build_object('count', p_task.active_steps, 'step_nos', array(
        select s.step_no
          from tasker.named_tasks_named_steps as s
         where s.named_task_uuid = p_task.named_task_uuid
           and s.total_parents = 0
         order by s.step_no
         limit 100
      ))
    ) end,
    p_task.requested_at
  from unnest(p_task_uuids) as u (task_uuid);
end;
$$;

comment on function tasker.log_new_tasks is
$$Logs the path of new tasks that start at once: to steps_in_process, without steps to complete, or, if all their first steps wait, to waiting_for_dependencies.$$;
