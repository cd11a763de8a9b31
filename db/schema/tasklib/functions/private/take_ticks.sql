create or replace function tasklib.take_ticks(p_schedule tasklib.schedules, p_limit integer)
  returns tasklib.schedules
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz := tasklib.clock();
  v_grace  interval    := make_interval(secs => tasklib.setting('missed_tick_seconds')::integer);
  v_tick   timestamptz := p_schedule.next_at;
  v_count  integer     := 0;
begin
  while v_tick <= v_now and v_count < p_limit loop
    if p_schedule.missed <> 'skip' or v_now - v_tick <= v_grace then
      p_schedule.last_task_id := tasklib.submit_tick(p_schedule, v_tick);
      p_schedule.last_at := v_tick;
      p_schedule := tasklib.note_tick(p_schedule, v_tick, 'made', p_schedule.last_task_id, null);
      v_count := v_count + 1;
    else
      p_schedule := tasklib.note_tick(
        p_schedule, v_tick, 'skipped', null,
        format('missed, with all up to %s', to_char((v_now - v_grace) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'))
      );
    end if;
    v_tick := tasker.cron_next(
      p_schedule.cron, p_schedule.timezone,
      case
        when p_schedule.missed = 'all' then v_tick
        when p_schedule.missed = 'skip' then greatest(v_tick, v_now - v_grace)
        else v_now
      end
    );
  end loop;

  p_schedule.next_at := v_tick;
  p_schedule.failures := 0;
  p_schedule.last_error := null;
  p_schedule.last_error_at := null;
  p_schedule.retry_at := null;
  return p_schedule;
end;
$$;

comment on function tasklib.take_ticks is
$$Submits the tasks of a schedule's due ticks, at most p_limit, and returns the advanced schedule. The caller has locked the schedule's row, and writes it. Raises the errors of submit_task.$$;
