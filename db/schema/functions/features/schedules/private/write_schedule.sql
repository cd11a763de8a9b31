create or replace function tasker.write_schedule(p_schedule tasker.schedules)
  returns tasker.schedules
  language plpgsql
as $$
begin
  p_schedule.due_at := tasker.schedule_due_at(p_schedule);
  p_schedule.checked_at := tasker.write_clock();
  update tasker.schedules as s
     set anchor_at        = p_schedule.anchor_at,
         next_tick_at     = p_schedule.next_tick_at,
         due_at           = p_schedule.due_at,
         queued_tick_at   = p_schedule.queued_tick_at,
         backfill_next_at = p_schedule.backfill_next_at,
         backfill_until   = p_schedule.backfill_until,
         backfill_overlap = p_schedule.backfill_overlap,
         last_tick_at     = p_schedule.last_tick_at,
         last_task_uuid   = p_schedule.last_task_uuid,
         running_tasks    = p_schedule.running_tasks,
         caught_up        = p_schedule.caught_up,
         tick_count       = p_schedule.tick_count,
         failures         = p_schedule.failures,
         last_error       = p_schedule.last_error,
         last_error_at    = p_schedule.last_error_at,
         paused_at        = p_schedule.paused_at,
         paused_by        = p_schedule.paused_by,
         paused_login     = p_schedule.paused_login,
         paused_role      = p_schedule.paused_role,
         checked_at       = p_schedule.checked_at
   where s.schedule_uuid = p_schedule.schedule_uuid;

  if p_schedule.due_at is null then
    delete from tasker.timers as m
     where m.task_uuid = any (array[p_schedule.schedule_uuid]);
  else
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    values (p_schedule.schedule_uuid, 'fire_schedule', p_schedule.due_at, p_schedule.namespace)
    on conflict (task_uuid, step_no, kind) do update
       set due_at = excluded.due_at;
  end if;
  return p_schedule;
end;
$$;

comment on function tasker.write_schedule is
$$Writes the columns of a schedule that its runs change, and writes or deletes its timer. The caller holds the schedule's row. Locks the timer.$$;
