create or replace function tasker.note_tick(
  p_schedule   tasker.schedules,
  p_tick       timestamptz,
  p_cause      text,
  p_outcome    text,
  p_task_uuid  uuid,
  p_reason     text
)
  returns tasker.schedules
  language plpgsql
as $$
begin
  p_schedule.tick_count := p_schedule.tick_count + 1;
  insert into tasker.schedule_ticks (schedule_uuid, tick_no, tick_at, fired_at, cause, outcome, task_uuid, reason)
  values (
    p_schedule.schedule_uuid, p_schedule.tick_count, p_tick, tasker.write_clock(), p_cause, p_outcome, p_task_uuid, p_reason
  );
  delete from tasker.schedule_ticks as k
   where k.schedule_uuid = p_schedule.schedule_uuid
     and k.tick_no <= p_schedule.tick_count - tasker.setting_integer('schedule_ticks');
  return p_schedule;
end;
$$;

comment on function tasker.note_tick is
$$Adds an entry to the history of a schedule and deletes the entries beyond the setting schedule_ticks. Returns the schedule with its new count. The caller holds the schedule's row, and writes it afterwards.$$;
