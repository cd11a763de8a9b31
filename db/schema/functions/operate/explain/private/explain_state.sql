create or replace function tasker.explain_state(
  p_step     tasker.step_explanations,
  p_step_no  integer,
  p_waiting  bigint,
  p_refused  bigint,
  p_failed   bigint
)
  returns text
  language plpgsql
  stable
as $$
declare
  v_paused    text;
  v_await     jsonb;
  v_child     uuid;
  v_expansion jsonb;
begin
  if p_step.current_state in ('suspended', 'pending') then
    select tasker.step_wait(s.await, s.wait, s.claim_no), s.child_task_uuid, s.expansion
      into v_await, v_child, v_expansion
      from tasker.workflow_steps as s
     where s.task_uuid = p_step.task_uuid
       and s.step_no = p_step_no;
  end if;
  if p_step.current_state = 'suspended' and v_await ? 'task' then
    return tasker.explain_child(v_await, v_child, p_step.due_at);
  elsif p_step.current_state = 'suspended' and v_await ? 'tasks' then
    return tasker.explain_runs(v_await);
  elsif p_step.current_state = 'suspended' then
    return tasker.explain_wait(p_step.task_uuid, p_step_no, v_await, p_step.due_at);
  elsif v_expansion is not null and p_waiting > 0 then
    return tasker.explain_map(p_step, v_expansion, p_waiting, p_failed);
  end if;

  select n.paused_by
    into v_paused
    from tasker.task_namespaces as n
   where n.name = p_step.namespace
     and n.paused_at is not null;
  return coalesce(
    case when p_step.current_state = 'enqueued' and v_paused is null then
      coalesce(tasker.explain_pause(p_step), tasker.explain_limit(p_step.task_uuid, p_step_no))
    end,
    tasker.explain_blocking(p_step, v_paused, p_waiting, p_refused, p_failed)
  );
end;
$$;

comment on function tasker.explain_state is
$$Returns a sentence that says why a step is in its state. p_waiting is the number of parents that have not settled,
p_refused the number of parents that do not satisfy the step, and p_failed the number of failures above the step.$$;
