create or replace function tasker.explained_step(p_step_uuid uuid)
  returns tasker.step_explanations
  language plpgsql
  stable
as $$
declare
  v_task uuid := tasker.task_uuid_of(p_step_uuid);
  v_step tasker.step_explanations;
begin
  select r.workflow_step_uuid, r.task_uuid, r.name, h.name, n.name, t.state, r.current_state, '', r.blocking_reason,
         coalesce(
           r.next_retry_at, s.lease_until,
           case when r.current_state = 'suspended' then (
             select m.due_at
               from tasker.timers as m
              where m.task_uuid = r.task_uuid
                and m.step_no = s.step_no
                and m.kind = 'end_wait'
           ) end,
           case when r.blocking_reason = 'task_not_started' then (
             -- A task that waits in the line of its key has no time at which it starts.
             select nullif(m.due_at, '2200-01-01 00:00:00Z')
               from tasker.timers as m
              where m.task_uuid = r.task_uuid
                and m.step_no = 0
                and m.kind = 'start_task'
           ) end
         ),
         '[]', '[]', '[]', s.worker_uuid, r.attempts, r.retry_limit, s.last_error, c.caller[1], c.caller[2]
    into v_step
    from tasker.step_readiness() as r
    join tasker.workflow_steps as s
      on s.task_uuid = r.task_uuid
     and s.step_no = tasker.step_no_of(p_step_uuid)
   cross join lateral (
     select case when s.transition_count > 0 then tasker.step_caller(s.task_uuid, s.step_no, s.transition_count) end as caller
   ) as c
   cross join lateral (
     select h.name
       from tasker.named_steps as h
      where h.named_step_uuid = r.named_step_uuid
     offset 0
   ) as h
    join tasker.tasks as t
      on t.task_uuid = r.task_uuid
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where r.task_uuid = v_task
     and r.workflow_step_uuid = p_step_uuid;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_step;
end;
$$;

comment on function tasker.explained_step is
$$Returns the part of tasker.explain_step about a step itself, without its parents and without a sentence. Raises TK404 if the step does not exist.$$;
