create or replace function tasker.schedule_new_tasks(
  p_task        tasker.tasks,
  p_task_uuids  uuid[],
  p_namespace   text,
  p_start_at    timestamptz
)
  returns void
  language plpgsql
as $$
declare
  v_waits boolean := p_task.state = 'pending' and p_start_at > p_task.requested_at;
begin
  if p_task.deadline is not null or v_waits then
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    select
      u.task_uuid, d.kind, d.due_at, p_namespace
    from unnest(p_task_uuids) as u (task_uuid)
    cross join (values
      ('task_deadline'::tasker.timer_kind, p_task.deadline),
      ('start_task'::tasker.timer_kind, case when v_waits then p_start_at end)
    ) as d (kind, due_at)
    where d.due_at is not null;
  end if;
  if p_task.state <> 'pending' or v_waits then
    return;
  end if;

  insert into tasker.waiting_tasks (task_uuid, priority, waiting_since, dispatch_rank)
  select
    u.task_uuid,
    p_task.priority,
    p_task.requested_at,
    tasker.dispatch_rank(
      p_task.priority, n.priority_modifier, p_task.requested_at, 0, p_task.requested_at, p_task.deadline
    )
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.task_namespaces as n
  where n.name = p_namespace;
end;
$$;

comment on function tasker.schedule_new_tasks is
$$Inserts the rows that make new tasks move later: a timer for the deadline, and a timer for the start or, if the tasks wait for an orchestrator, a waiting row.$$;
