create or replace function tasker.timer_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Each step that waits for a retry has a timer. No timer belongs to a task that has ended or does not exist.
  select s.task_uuid, s.step_no, null::integer, 'timers', 'lacks the timer of a step that waits for its retry'
    from tasker.workflow_steps as s
   where s.state = 'waiting_for_retry'
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and not exists (
       select
         from tasker.timers as m
        where m.task_uuid = s.task_uuid
          and m.step_no = s.step_no
          and m.kind = 'retry_step'
     )
  union all
  select m.task_uuid, nullif(m.step_no, 0), null, 'timers', format('has the timer %s of no open task or step', m.kind)
    from tasker.timers as m
    left join tasker.tasks as t
      on t.task_uuid = m.task_uuid
    left join tasker.workflow_steps as s
      on s.task_uuid = m.task_uuid
     and s.step_no = m.step_no
   where m.task_uuid >= p_from
     and m.task_uuid < p_to
     and (m.kind <> 'fire_schedule' or not exists (select from tasker.schedules as d where d.schedule_uuid = m.task_uuid))
     and m.kind <> 'deliver_event'
     and (t.complete is not false and (t.task_uuid is null or m.kind not in ('child_ended', 'cancel_child', 'serve_run')) or (m.kind = 'retry_step' and s.state is distinct from 'waiting_for_retry')
          or (m.kind in ('end_wait', 'start_child', 'match_wait') and s.state is distinct from 'suspended'))
  union all
  -- If a step waits for a task, the step has a note, or the task is open, or a timer notes the end of the task.
  select s.task_uuid, s.step_no, null, 'timers', 'lacks the note of a step that waits for a task which does not run'
    from tasker.workflow_steps as s
    left join tasker.tasks as c
      on c.task_uuid = s.child_task_uuid
   where s.state = 'suspended'
     and s.await ? 'task'
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and c.complete is not false
     and not exists (
       select
         from tasker.timers as m
        where m.task_uuid = s.task_uuid
          and m.step_no = s.step_no
          and m.kind = 'start_child'
          or m.task_uuid = c.task_uuid
          and m.kind = 'child_ended'
     )
  union all
  -- If a function waits for tasks, it has a timer, or one of the tasks is open, or a timer notes the end of a task.
  select s.task_uuid, s.step_no, null, 'timers', 'lacks the note of a function that waits for tasks which do not run'
    from tasker.workflow_steps as s
   where s.state = 'suspended'
     and s.await is null
     and s.wait ? 'tasks'
     and (s.wait ->> 'claim_no')::integer = s.claim_no
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and not exists (select from tasker.timers as m where m.task_uuid = s.task_uuid and m.step_no = s.step_no and m.kind = 'start_child')
     and not exists (
       select
         from jsonb_array_elements_text(s.wait -> 'started') as u (task_uuid)
        where exists (select from tasker.tasks as c where c.task_uuid = u.task_uuid::uuid and not c.complete)
           or exists (select from tasker.timers as m where m.task_uuid = u.task_uuid::uuid and m.kind = 'child_ended')
     );
end;
$$;

comment on function tasker.timer_problems is
$$Finds steps that wait for a retry or for a child task without a timer, and timers without a step. Checks the tasks
between two UUIDs.$$;
