create or replace function tasker.check_task_row(p_row record)
  returns boolean
  language plpgsql
  immutable
  parallel safe
as $$
declare
  v_rule text;
begin
  -- By the state, as in tasker.check_step_row.
  if least(
       p_row.active_steps, p_row.retrying_steps, p_row.suspended_steps, p_row.failed_steps,
       p_row.open_steps - p_row.active_steps - p_row.retrying_steps - p_row.suspended_steps,
       p_row.total_steps - p_row.open_steps - p_row.failed_steps,
       65535 - p_row.total_steps
     ) >= 0
     and tasker.is_task_uuid(p_row.task_uuid)
     and jsonb_typeof(p_row.headers) = 'object'
     and jsonb_typeof(p_row.context) = 'object' then
    if not p_row.complete then
      if p_row.completed_at is null and p_row.state not in ('complete', 'error', 'cancelled', 'resolved_manually') then
        return true;
      end if;
    elsif p_row.state = 'complete' then
      if p_row.completed_at is not null and p_row.open_steps = 0 and p_row.failed_steps = 0 then
        return true;
      end if;
    elsif p_row.state in ('error', 'cancelled', 'resolved_manually') and p_row.completed_at is not null
      and p_row.active_steps = 0 and p_row.retrying_steps = 0 and p_row.suspended_steps = 0 then
      return true;
    end if;
  end if;

  -- Null satisfies a rule, as in any CHECK.
  v_rule := case
    when not tasker.is_task_uuid(p_row.task_uuid) then 'task_uuid'
    when least(
           p_row.active_steps, p_row.retrying_steps, p_row.suspended_steps, p_row.failed_steps,
           p_row.open_steps - p_row.active_steps - p_row.retrying_steps - p_row.suspended_steps,
           p_row.total_steps - p_row.open_steps - p_row.failed_steps,
           65535 - p_row.total_steps
         ) < 0 then 'counters'
    when p_row.state = 'complete' and (p_row.open_steps <> 0 or p_row.failed_steps <> 0) then 'complete_has_no_open_steps'
    when p_row.complete and (p_row.active_steps <> 0 or p_row.retrying_steps <> 0 or p_row.suspended_steps <> 0) then 'ended_has_no_active_steps'
    when p_row.complete <> (p_row.state in ('complete', 'error', 'cancelled', 'resolved_manually')) then 'complete'
    when p_row.complete <> (p_row.completed_at is not null) then 'completed_at'
    when jsonb_typeof(p_row.headers) <> 'object' then 'headers'
    when jsonb_typeof(p_row.context) <> 'object' then 'context'
  end;
  if v_rule is null then
    return true;
  end if;
  v_rule := 'tasks_' || v_rule || '_check';
  raise exception using
    errcode    = '23514',
    message    = format('new row for relation "tasks" violates check constraint "%s"', v_rule),
    detail     = format(
      'task %s: state %s, steps %s, open %s, active %s, retrying %s, suspended %s, failed %s, completed at %s',
      p_row.task_uuid, p_row.state, p_row.total_steps, p_row.open_steps, p_row.active_steps, p_row.retrying_steps, p_row.suspended_steps, p_row.failed_steps,
      coalesce(p_row.completed_at::text, 'null')
    ),
    schema     = 'tasker',
    table      = 'tasks',
    constraint = v_rule;
end;
$$;

comment on function tasker.check_task_row is
$$CHECK constraint of each partition of tasker.tasks with all rules of a row. Returns true, or raises 23514 with the name of the broken rule.

One function of the whole row, without a search_path, for the reasons given at tasker.check_step_row.$$;
