create or replace function tasklib.fire_schedules(
  p_limit  integer  default 100
)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz := tasklib.clock();
  v_missed   interval := make_interval(secs => tasklib.setting('missed_tick_seconds')::integer);
  v_schedule tasklib.schedules;
  v_tick     timestamptz;
  v_count    integer := 0;
begin
  if p_limit between 1 and 10000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('%s ticks cannot be kept in one call', coalesce(p_limit::text, 'null')),
      hint    = 'One call takes 1 to 10,000.';
  end if;

  for v_schedule in
    select s.*
      from tasklib.schedules as s
     where s.next_at <= v_now
     order by s.next_at
     limit p_limit
       for update skip locked
  loop
    v_tick := v_schedule.next_at;
    while v_tick <= v_now and v_count < p_limit loop
      if v_schedule.missed <> 'skip' or v_now - v_tick <= v_missed then
        v_schedule.last_task_id := tasklib.submit_tick(v_schedule, v_tick);
        v_schedule.last_at := v_tick;
        v_count := v_count + 1;
      end if;
      v_tick := tasklib.cron_next(
        v_schedule.cron, v_schedule.timezone,
        case
          when v_schedule.missed = 'all' then v_tick
          when v_schedule.missed = 'skip' then greatest(v_tick, v_now - v_missed)
          else v_now
        end
      );
    end loop;

    update tasklib.schedules as s
       set next_at      = v_tick,
           last_at      = v_schedule.last_at,
           last_task_id = v_schedule.last_task_id
     where s.schedule = v_schedule.schedule;
  end loop;
  return v_count;
end;
$$;

comment on function tasklib.fire_schedules(integer) is
$$Submits the tasks of schedules that are due, at most p_limit, and returns how many. Workers call it every few seconds.

Several callers at once do not double a tick: whoever has the schedule's lock submits and moves it on in one transaction, others skip it. Raises TK422 for a limit out of bounds.$$;

revoke all on function tasklib.fire_schedules(integer) from public;
grant execute on function tasklib.fire_schedules(integer) to tasklib_worker, tasklib_operator;
