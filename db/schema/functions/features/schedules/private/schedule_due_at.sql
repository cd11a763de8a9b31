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
  -- No event says when a running task has ended, so the schedule is checked each second.
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
$$Returns when a schedule is checked next: at its next tick, a second from now while a tick waits for a running task, at once while a backfill may go on. After a failure this is not before 10 seconds, and twice as long after each further failure, up to an hour. Null if it is paused or has nothing to come.$$;
