create or replace function tasker.fire_schedule(p_schedule_uuid uuid)
  returns boolean
  language plpgsql
as $$
declare
  v_schedule tasker.schedules;
  v_now      timestamptz := tasker.clock();
begin
  select s.*
    into v_schedule
    from tasker.schedules as s
   where s.schedule_uuid = p_schedule_uuid
     for no key update skip locked;
  if not found then
    -- Another transaction has locked the schedule, and will write the timer again.
    update tasker.timers as m
       set due_at = v_now + interval '1 second'
     where m.task_uuid = any (array[p_schedule_uuid]);
    return false;
  end if;

  begin
    v_schedule := tasker.take_tick(v_schedule);
  exception when others then
    -- The error belongs to the schedule: the schedule shows it, and the tick is tried again later. The claim that found
    -- the tick due continues.
    v_schedule.failures := v_schedule.failures + 1;
    v_schedule.last_error := format('%s: %s', sqlstate, left(sqlerrm, 1000));
    v_schedule.last_error_at := v_now;
    v_schedule := tasker.note_tick(
      v_schedule,
      coalesce(
        case when tasker.schedule_tick_due_at(v_schedule, v_schedule.next_tick_at) <= v_now then v_schedule.next_tick_at end,
        v_schedule.queued_tick_at, v_schedule.backfill_next_at, v_now
      ),
      case when v_schedule.backfill_next_at is not null and (v_schedule.next_tick_at <= v_now) is not true then 'backfill' else 'tick' end,
      'failed', null, v_schedule.last_error
    );
  end;
  v_schedule := tasker.write_schedule(v_schedule);
  return true;
end;
$$;

comment on function tasker.fire_schedule is
$$Does the due work of a schedule, at most one tick. After an error, rolls the tick back and records the error in the schedule; the tick is tried again later. Returns false if another transaction holds the schedule's row. The caller holds the schedule's timer.$$;
