create or replace function tasklib.next_tick(
  p_cron      text,
  p_timezone  text         default 'UTC',
  p_after     timestamptz  default null
)
  returns timestamptz
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  p_timezone := coalesce(p_timezone, 'UTC');
  perform tasker.check_timezone(p_timezone);
  if p_after not between timestamptz '0001-01-01 00:00:00Z' and timestamptz '9999-12-31 00:00:00Z' then
    raise exception using
      errcode = 'TK422',
      message = format('there is no tick after %s', p_after),
      hint    = 'The expression matches no day, or the time is out of range.';
  end if;
  return tasker.cron_next(p_cron, p_timezone, coalesce(p_after, tasklib.clock()));
end;
$$;

comment on function tasklib.next_tick is
$$Returns the first tick of a cron expression after p_after (null means now), in a time zone. The expression has five fields: minute, hour, day of month, month and weekday. A field may have lists, ranges, steps and English names. The expression may also be @hourly, @daily, @weekly, @monthly or @yearly. If day of month and weekday are both restricted, a day that matches either of them has ticks.

When clocks change, every tick comes exactly once. If the change skips the time of a tick, the tick comes later by as much as the clock moves. If the change repeats the time of a tick, the tick comes the first time only. An expression for every hour still ticks every hour. Raises TK422 for an expression that is invalid or never ticks, and for an unknown time zone.$$;

grant execute on function tasklib.next_tick
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
