create or replace function tasklib.note_tick(
  p_schedule  tasklib.schedules,
  p_tick      timestamptz,
  p_outcome   text,
  p_task_id   uuid,
  p_reason    text
)
  returns tasklib.schedules
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  p_schedule.tick_count := p_schedule.tick_count + 1;
  insert into tasklib.schedule_ticks (schedule, tick_no, tick_at, fired_at, outcome, task_id, reason)
  values (p_schedule.schedule, p_schedule.tick_count, p_tick, tasklib.clock(), p_outcome, p_task_id, p_reason);
  delete from tasklib.schedule_ticks as k
   where k.schedule = p_schedule.schedule
     and k.tick_no <= p_schedule.tick_count - tasklib.setting('schedule_ticks')::integer;
  return p_schedule;
end;
$$;

comment on function tasklib.note_tick is
$$Adds an entry to the history of a schedule, and deletes its oldest entries so that no more entries remain than the setting schedule_ticks allows. Returns the schedule with its new tick_count. The caller has locked the schedule's row, and writes it.$$;
