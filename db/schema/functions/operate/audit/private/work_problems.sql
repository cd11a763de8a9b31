create or replace function tasker.work_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select w.task_uuid, null::integer, null::integer, 'waiting_tasks', 'has a task that has ended or does not exist'
    from tasker.waiting_tasks as w
    left join tasker.tasks as t
      on t.task_uuid = w.task_uuid
   where w.task_uuid >= p_from
     and w.task_uuid < p_to
     and t.complete is not false
  union all
  -- An open task has a step in the queue, a timer, a waiting row for an orchestrator, a step that
  -- waits, or a failure for an operator.
  select t.task_uuid, null, null, 'tasks', format('is %s, and nothing is due that would move it', t.state)
    from tasker.tasks as t
   where not t.complete
     and t.failed_steps = 0
     and t.suspended_steps = 0
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and not exists (select from tasker.step_queue as q where q.task_uuid = t.task_uuid)
     and not exists (select from tasker.timers as m where m.task_uuid = t.task_uuid and m.kind <> 'task_deadline')
     and not exists (select from tasker.waiting_tasks as w where w.task_uuid = t.task_uuid);
end;
$$;

comment on function tasker.work_problems is
$$Finds waiting rows of tasks that do not wait, and open tasks that will never move because they have no step, timer or
waiting row that moves them.$$;
