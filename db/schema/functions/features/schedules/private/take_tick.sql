create or replace function tasker.take_tick(p_schedule tasker.schedules)
  returns tasker.schedules
  language plpgsql
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_grace  interval    := make_interval(secs => tasker.setting_integer('missed_tick_seconds'));
  v_actor  text        := 'schedule ' || p_schedule.schedule;
  v_tick   timestamptz;
  v_missed boolean;
begin
  p_schedule.running_tasks := tasker.open_tasks_of(p_schedule.running_tasks);

  if p_schedule.queued_tick_at is not null and p_schedule.running_tasks = '{}' then
    p_schedule := tasker.make_tick(p_schedule, p_schedule.queued_tick_at, 'tick', v_actor);
    p_schedule.queued_tick_at := null;
    return p_schedule;
  end if;

  if tasker.schedule_tick_due_at(p_schedule, p_schedule.next_tick_at) <= v_now then
    -- Compute the tick again, because the rules of the time zone may have changed.
    v_tick := tasker.schedule_next_tick(p_schedule, p_schedule.next_tick_at - interval '1 microsecond');
    if (tasker.schedule_tick_due_at(p_schedule, v_tick) <= v_now) is not true then
      p_schedule.next_tick_at := v_tick;
      return p_schedule;
    end if;

    v_missed := v_now - tasker.schedule_tick_due_at(p_schedule, v_tick) > v_grace;
    if v_missed and (p_schedule.catch_up = 'skip' or p_schedule.caught_up >= p_schedule.catch_up_limit and p_schedule.catch_up = 'all') then
      p_schedule.next_tick_at := tasker.schedule_next_tick(p_schedule, v_now - v_grace);
      p_schedule.caught_up := 0;
      return tasker.note_tick(
        p_schedule, v_tick, 'tick', 'skipped', null,
        format(
          'missed, with all up to %s: %s', to_char((v_now - v_grace) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'),
          case p_schedule.catch_up
            when 'skip' then 'the schedule makes up for none'
            else format('the schedule makes up for %s at most', p_schedule.catch_up_limit)
          end
        )
      );
    end if;

    if p_schedule.overlap = 'allow' or p_schedule.running_tasks = '{}' then
      p_schedule := tasker.make_tick(p_schedule, v_tick, 'tick', v_actor);
    elsif p_schedule.overlap = 'queue_one' and p_schedule.queued_tick_at is null then
      p_schedule.queued_tick_at := v_tick;
      p_schedule := tasker.note_tick(
        p_schedule, v_tick, 'tick', 'queued', null, format('task %s is running', p_schedule.running_tasks[1])
      );
    else
      p_schedule := tasker.note_tick(
        p_schedule, v_tick, 'tick', 'skipped', null,
        format('task %s is running%s', p_schedule.running_tasks[1], case when p_schedule.overlap = 'queue_one' then ' and another tick is queued' end)
      );
    end if;
    p_schedule.last_tick_at := greatest(p_schedule.last_tick_at, v_tick);
    p_schedule.caught_up := case when v_missed then p_schedule.caught_up + 1 else 0 end;
    p_schedule.next_tick_at := tasker.schedule_next_tick(
      p_schedule, case when v_missed and p_schedule.catch_up = 'one' then v_now else v_tick end
    );
    return p_schedule;
  end if;

  if p_schedule.backfill_next_at is not null and (p_schedule.backfill_overlap = 'allow' or p_schedule.running_tasks = '{}') then
    p_schedule := tasker.make_tick(p_schedule, p_schedule.backfill_next_at, 'backfill', v_actor);
    p_schedule.backfill_next_at := tasker.schedule_tick_after(p_schedule, p_schedule.backfill_next_at);
    if (p_schedule.backfill_next_at <= p_schedule.backfill_until) is not true then
      p_schedule.backfill_next_at := null;
      p_schedule.backfill_until := null;
      p_schedule.backfill_overlap := null;
    end if;
  end if;
  return p_schedule;
end;
$$;

comment on function tasker.take_tick is
$$Does one due action of a schedule: fires the queued tick if no task runs, otherwise the next tick if it is due, otherwise a tick of the backfill. Creates at most one task. Returns the changed schedule. The caller holds the schedule's row, and writes it afterwards. Raises the errors of create_task.$$;
