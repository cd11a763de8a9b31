create or replace function tasker.explain_start_within(p_task_uuid uuid, p_step_no integer)
  returns text
  language sql
  stable
begin atomic
  select format(' It fails if no worker has started it by %s.', to_char(t.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'))
    from tasker.timers as t
    join tasker.workflow_steps as s
      on s.task_uuid = t.task_uuid
     and s.step_no = t.step_no
   where t.task_uuid = p_task_uuid
     and t.step_no = p_step_no
     and t.kind = 'start_within'
     and s.state = 'enqueued';
end;

comment on function tasker.explain_start_within is
$$Returns a sentence with the time by which a worker must start an enqueued step, or null if the step may wait without limit.$$;
