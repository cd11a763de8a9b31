create or replace function tasker.described_terms(p_task tasker.tasks)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return jsonb_build_object(
    'priority', p_task.priority,
    'deadline', p_task.deadline,
    'start_at', (
      select coalesce(r.line_at, m.due_at)
        from tasker.timers as m
        left join tasker.runs as r
          on r.task_uuid = m.task_uuid
       where m.task_uuid = p_task.task_uuid
         and m.kind = 'start_task'
    ),
    'context', p_task.context
  );
end;
$$;

comment on function tasker.described_terms is
$$Returns the values of a task that tasker.change_task can change, as an object. The object has no start if the task has
started.$$;
