create or replace function tasker.explain_child(p_await jsonb, p_child_uuid uuid, p_due_at timestamptz)
  returns text
  language plpgsql
  stable
as $$
declare
  v_name    text := p_await #>> '{task,name}';
  v_state   text;
  v_blocked record;
  v_until   text := format(
    ' At %s it %s, unless the task ends before.', to_char(p_due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'),
    case p_await ->> 'on_timeout' when 'skip' then 'is skipped' when 'complete' then 'is complete without it' else 'fails' end
  );
begin
  if p_due_at is null then
    v_until := '';
  end if;
  select t.state into v_state from tasker.tasks as t where t.task_uuid = p_child_uuid;
  if v_state is null then
    return format('It is about to start task "%s": the next claim or orchestrator does.%s', v_name, v_until);
  elsif not tasker.may_see_task(p_child_uuid) then
    return format('It waits for a task "%s" of a namespace that you are not bound to.%s', v_name, v_until);
  end if;

  -- Follow the chain of waiting tasks down to the failed step that this step finally waits for.
  with recursive family (task_uuid) as (
    select p_child_uuid
    union all
    select s.child_task_uuid
      from family as f
     cross join lateral (
       select s.child_task_uuid
         from tasker.workflow_steps as s
        where s.task_uuid = f.task_uuid
          and s.state = 'suspended'
          and s.child_task_uuid is not null
       offset 0
     ) as s
  )
  select s.*, t.state as task_state
    into v_blocked
    from (select f.task_uuid from family as f limit 1000) as f
   cross join lateral (
     select t.state
       from tasker.tasks as t
      where t.task_uuid = f.task_uuid
     offset 0
   ) as t
   cross join lateral (
     select s.workflow_step_uuid, s.task_uuid, s.name, s.last_error
       from tasker.workflow_steps as s
      where s.task_uuid = f.task_uuid
        and s.state = 'error'
      order by s.step_no
      limit 1
   ) as s
   limit 1;
  if not found then
    return format('It waits for task %s ("%s"), which is %s.%s', p_child_uuid, v_name, v_state, v_until);
  elsif not tasker.may_see_task(v_blocked.task_uuid) then
    return format('It waits for task %s ("%s"), which a task of another namespace holds up.%s', p_child_uuid, v_name, v_until);
  end if;
  return format(
    'It waits for task %s ("%s"), which is %s%s, because its step "%s" failed: %s. select %s.%s',
    p_child_uuid, v_name, v_state,
    case when v_blocked.task_uuid <> p_child_uuid then format(', and below it for task %s, which is %s', v_blocked.task_uuid, v_blocked.task_state) end,
    v_blocked.name, coalesce(rtrim(left(v_blocked.last_error, 200), '.'), 'no error was recorded'),
    case when v_blocked.task_state = 'error'
      then format('tasker.reset_task(%L)', v_blocked.task_uuid) else format('tasker.retry_step(%L)', v_blocked.workflow_step_uuid)
    end,
    v_until
  );
end;
$$;

comment on function tasker.explain_child is
$$Explains the wait of a step that started a task. Names the task and its state. If a failed step keeps the task from ending, at any level below, names this step and the call that continues the task.$$;
