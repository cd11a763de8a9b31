create or replace function tasker.change_start(p_task tasker.tasks, p_start_at timestamptz, p_deadline timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_start timestamptz := greatest(p_start_at, tasker.write_clock());
begin
  if not exists (select from tasker.timers as m where m.task_uuid = p_task.task_uuid and m.kind = 'start_task') then
    raise exception using
      errcode = 'TK409',
      message = format('the start of task %s cannot be changed', p_task.task_uuid),
      detail  = case when p_task.state = 'pending' then 'An orchestrator starts the task.' else 'The task has started.' end,
      hint    = 'To keep a started task from going on, use tasker.pause_task(task).';
  elsif coalesce(p_deadline, p_task.deadline) <= v_start then
    raise exception using
      errcode = 'TK422',
      message = 'the deadline of a task is not after now and after its start',
      detail  = format('deadline %s, start %s', coalesce(p_deadline, p_task.deadline), v_start),
      hint    = 'Both must be finite times, the deadline the later one.';
  end if;
  if not tasker.change_run_start(p_task.task_uuid, v_start) then
    update tasker.timers as m
       set due_at = v_start
     where m.task_uuid = p_task.task_uuid
       and m.kind = 'start_task';
  end if;
end;
$$;

comment on function tasker.change_start is
$$Changes the time at which a task starts. Raises TK409 if the task has started, and TK422 if the task would start after
its deadline. The caller holds the task's lock.$$;
