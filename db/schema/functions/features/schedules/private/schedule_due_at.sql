create or replace function tasker.schedule_due_at(p_schedule tasker.schedules)
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_now timestamptz := tasker.clock();
  v_due timestamptz;
begin
  if p_schedule.paused_at is not null then
    return null;
  end if;
  -- A queued tick waits for a running task. The end of the task does not wake the schedule, so check it each second.
  v_due := least(
    tasker.schedule_tick_due_at(p_schedule, p_schedule.next_tick_at),
    case when p_schedule.queued_tick_at is not null then v_now + interval '1 second' end,
    case
      when p_schedule.backfill_next_at is null then null
      when p_schedule.backfill_overlap = 'allow' or p_schedule.running_tasks = '{}' then v_now
      else v_now + interval '1 second'
    end
  );
  if v_due is not null and p_schedule.failures > 0 then
    v_due := greatest(
      v_due, p_schedule.last_error_at + least(interval '10 seconds' * power(2, least(p_schedule.failures, 20) - 1), interval '1 hour')
    );
  end if;
  return v_due;
end;
$$;

comment on function tasker.schedule_due_at is
$$Returns the time of the next check of a schedule: at its next tick, a second from now while a tick or the backfill waits for a running task, and now if the backfill may continue. After a failure the next check is at least 10 seconds later; each further failure doubles this delay, up to an hour. Returns null if the schedule is paused or has no further tick.$$;
