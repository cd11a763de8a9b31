create or replace function tasker.check_task_row(
  p_task_uuid        uuid,
  p_state            tasker.task_state,
  p_complete         boolean,
  p_total_steps      integer,
  p_open_steps       integer,
  p_active_steps     integer,
  p_retrying_steps   integer,
  p_suspended_steps  integer,
  p_failed_steps     integer,
  p_completed_at     timestamptz,
  p_headers          jsonb,
  p_context          jsonb
)
  returns boolean
  language plpgsql
  immutable
  parallel safe
as $$
declare
  v_rule text;
begin
  -- The rules are grouped by the state, as in tasker.check_step_row.
  if least(
       p_active_steps, p_retrying_steps, p_suspended_steps, p_failed_steps,
       p_open_steps - p_active_steps - p_retrying_steps - p_suspended_steps,
       p_total_steps - p_open_steps - p_failed_steps,
       65535 - p_total_steps
     ) >= 0
     and tasker.is_task_uuid(p_task_uuid)
     and p_headers @> '{}'
     and p_context @> '{}' then
    if not p_complete then
      if p_completed_at is null and p_state not in ('complete', 'error', 'cancelled', 'resolved_manually') then
        return true;
      end if;
    elsif p_state = 'complete' then
      if p_completed_at is not null and p_open_steps = 0 and p_failed_steps = 0 then
        return true;
      end if;
    elsif p_state in ('error', 'cancelled', 'resolved_manually') and p_completed_at is not null
      and p_active_steps = 0 and p_retrying_steps = 0 and p_suspended_steps = 0 then
      return true;
    end if;
  end if;

  -- A rule whose value is null is satisfied, as in any CHECK.
  v_rule := case
    when not tasker.is_task_uuid(p_task_uuid) then 'task_uuid'
    when least(
           p_active_steps, p_retrying_steps, p_suspended_steps, p_failed_steps,
           p_open_steps - p_active_steps - p_retrying_steps - p_suspended_steps,
           p_total_steps - p_open_steps - p_failed_steps,
           65535 - p_total_steps
         ) < 0 then 'counters'
    when p_state = 'complete' and (p_open_steps <> 0 or p_failed_steps <> 0) then 'complete_has_no_open_steps'
    when p_complete and (p_active_steps <> 0 or p_retrying_steps <> 0 or p_suspended_steps <> 0) then 'ended_has_no_active_steps'
    when p_complete <> (p_state in ('complete', 'error', 'cancelled', 'resolved_manually')) then 'complete'
    when p_complete <> (p_completed_at is not null) then 'completed_at'
    when jsonb_typeof(p_headers) <> 'object' then 'headers'
    when jsonb_typeof(p_context) <> 'object' then 'context'
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
      p_task_uuid, p_state, p_total_steps, p_open_steps, p_active_steps, p_retrying_steps, p_suspended_steps, p_failed_steps,
      coalesce(p_completed_at::text, 'null')
    ),
    schema     = 'tasker',
    table      = 'tasks',
    constraint = v_rule;
end;
$$;

comment on function tasker.check_task_row is
$$CHECK constraint of tasker.tasks with all rules of a row. Returns true, or raises 23514 with the name of the broken rule.

The rules are in one function without a search_path, for the reasons given at tasker.check_step_row.$$;
