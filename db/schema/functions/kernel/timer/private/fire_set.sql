create or replace function tasker.fire_set(
  p_due      tasker.timers[],
  p_budgets  tasker.fire_budgets
)
  returns integer
  language plpgsql
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_locked uuid[];
begin
  -- A task that another transaction holds is tried again soon. The task of a map is tried again sooner, because its
  -- lock is usually held for results of its own instances.
  v_locked := tasker.lock_tasks(array(select d.task_uuid from unnest(p_due) as d where d.kind not in ('fire_schedule', 'deliver_event')));
  if cardinality(v_locked) < cardinality(p_due) then
    update tasker.timers as m
       set due_at = v_now + case
             when d.kind = 'expand_map' then interval '20 milliseconds'
             when d.kind in ('start_child', 'child_ended', 'cancel_child', 'match_wait', 'advance_task', 'serve_run') then interval '100 milliseconds'
             else interval '1 second'
           end
      from unnest(p_due) as d
     where m.task_uuid = any (array[d.task_uuid])
       and m.step_no = d.step_no
       and m.kind = d.kind
       and d.kind not in ('fire_schedule', 'deliver_event')
       and d.task_uuid <> all (v_locked);
  end if;

  return tasker.fire_taken(p_due, v_locked, p_budgets);
end;
$$;

comment on function tasker.fire_set is
$$Locks the tasks of timers that the caller holds. Postpones the timers of tasks that other transactions hold, and fires all other timers. Returns how many timers it fired.$$;
