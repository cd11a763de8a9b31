create or replace function tasker.fire_taken(
  p_due      tasker.timers[],
  p_locked   uuid[],
  p_budgets  tasker.fire_budgets
)
  returns integer
  language plpgsql
as $$
declare
  v_expired uuid[];
  v_started uuid[];
  v_noted   uuid[];
  v_retried uuid[];
  v_retries integer[];
  v_fired   integer;
  v_others  boolean;
begin
  select
    array_agg(d.task_uuid) filter (where l.locked and d.kind = 'task_deadline'),
    array_agg(d.task_uuid) filter (where l.locked and d.kind = 'start_task'),
    array_agg(d.task_uuid) filter (where l.locked and d.kind = 'advance_task'),
    array_agg(d.task_uuid) filter (where l.locked and d.kind = 'retry_step'),
    array_agg(d.step_no) filter (where l.locked and d.kind = 'retry_step'),
    count(*) filter (where l.locked and d.kind in ('task_deadline', 'start_task', 'advance_task', 'retry_step')),
    bool_or(d.kind not in ('task_deadline', 'start_task', 'advance_task', 'retry_step'))
    into v_expired, v_started, v_noted, v_retried, v_retries, v_fired, v_others
    from unnest(p_due) as d
   cross join lateral (select d.task_uuid = any (p_locked) as locked) as l;
  -- Fire deadlines first, because they end tasks and delete the other timers of these tasks.
  if v_expired is not null then
    perform tasker.expire_tasks(v_expired);
  end if;
  if v_started is not null then
    perform tasker.advance_tasks(v_started, p_budgets.processor_uuid);
  end if;
  if v_noted is not null then
    perform tasker.advance_noted(v_noted, p_budgets.processor_uuid);
  end if;
  if v_retried is not null then
    perform tasker.fire_retries(v_retried, v_retries, p_budgets.processor_uuid);
  end if;
  if v_others then
    v_fired := v_fired + tasker.due(p_due, p_locked, p_budgets);
  end if;
  return v_fired;
end;
$$;

comment on function tasker.fire_taken is
$$Fires timers that tasker.fire_timers has locked. The timers belong to tasks in p_locked or to no task. Timers of the kernel's own kinds fire first, then timers of the kinds of features (tasker.due). Returns how many it fired.$$;
