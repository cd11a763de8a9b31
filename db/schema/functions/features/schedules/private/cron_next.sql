create or replace function tasker.cron_next(
  p_cron      text,
  p_timezone  text,
  p_after     timestamptz
)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_cron   tasker.cron_fields := tasker.parse_cron(p_cron);
  v_local  timestamp          := p_after at time zone p_timezone;
  v_day    date;
  v_minute integer;
  v_tick   timestamptz;
begin
  -- If the clock is not changed within three hours of a time, local times and instants differ by a constant offset.
  if tasker.clocks_change(p_timezone, p_after) then
    v_tick := tasker.cron_near_change(v_cron, p_timezone, p_after, p_after);
    if v_tick is not null then
      return v_tick;
    end if;
    v_local := v_local + interval '3 hours';
  end if;

  loop
    v_day := tasker.cron_day(v_cron, v_local::date);
    v_minute := tasker.cron_minute(
      v_cron,
      case when v_day = v_local::date then extract(hour from v_local)::integer * 60 + extract(minute from v_local)::integer else -1 end
    );
    if v_minute is null then
      v_day := tasker.cron_day(v_cron, v_day + 1);
      v_minute := tasker.cron_minute(v_cron, -1);
    end if;
    exit when v_day is null;

    v_local := v_day + make_interval(mins => v_minute);
    v_tick := v_local at time zone p_timezone;
    if tasker.clocks_change(p_timezone, v_tick) then
      v_tick := tasker.cron_near_change(v_cron, p_timezone, v_tick, p_after);
    end if;
    if v_tick > p_after then
      return v_tick;
    end if;
  end loop;

  raise exception using
    errcode = 'TK422',
    message = format('"%s" never ticks after %s', left(p_cron, 200), p_after),
    hint    = 'There is no such day: 31 April, 30 February.';
end;
$$;

comment on function tasker.cron_next is
$$Returns the next tick of a cron expression after an instant, in an existing time zone. When clocks change, every tick comes once: a skipped time comes later by the amount that clocks are put forward, and a time that comes twice counts only the first time. An expression that names every hour still ticks in every hour. Raises TK422 for an invalid expression and for an expression that never ticks.$$;
