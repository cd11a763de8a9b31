create or replace function tasklib.cron_next(
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
  v_cron  tasklib.cron_fields := tasklib.parse_cron(p_cron);
  v_span  interval;
  v_tick  timestamptz;
begin
  -- Nearby first, for expressions that tick often. Clocks are put forward or back by less than three
  -- hours: so much further the local times reach, on both sides.
  foreach v_span in array array['3 hours', '3 days', '60 days', '400 days', '12000 days']::interval[] loop
    with days as (
      select d.day
        from generate_series(
               date_trunc('day', (p_after at time zone p_timezone) - interval '3 hours'),
               (p_after + v_span) at time zone p_timezone + interval '3 hours',
               '1 day'
             ) as d (day)
       where extract(month from d.day)::integer = any (v_cron.months)
         and case
           when v_cron.either_day
             then extract(day from d.day)::integer = any (v_cron.days) or extract(dow from d.day)::integer = any (v_cron.weekdays)
           else extract(day from d.day)::integer = any (v_cron.days) and extract(dow from d.day)::integer = any (v_cron.weekdays)
         end
       order by d.day
       -- Yesterday, today, and whatever comes then.
       limit 4
    ),
    times as (
      select d.day + make_interval(hours => h.hour, mins => m.minute) as local
        from days as d
       cross join unnest(v_cron.hours) as h (hour)
       cross join unnest(v_cron.minutes) as m (minute)
    ),
    offsets as (
      -- How far the clock is ahead of UTC a day before and a day after: different if it is changed between.
      select t.local, t.local at time zone 'UTC' as utc,
             (z.instant - interval '1 day') at time zone p_timezone - (z.instant - interval '1 day') at time zone 'UTC' as before,
             (z.instant + interval '1 day') at time zone p_timezone - (z.instant + interval '1 day') at time zone 'UTC' as after
        from times as t
       cross join lateral (select t.local at time zone p_timezone as instant) as z
       where t.local between (p_after at time zone p_timezone) - interval '3 hours'
                         and (p_after + v_span) at time zone p_timezone + interval '3 hours'
    ),
    ticks as (
      -- Local time to instant. Once, as a rule. A time that the clock skips is as much later as it was put
      -- forward. A time that comes twice is the first one; both, if every hour is meant.
      select o.utc - o.before as tick
        from offsets as o
       where o.before = o.after
          or (o.utc - o.before) at time zone p_timezone = o.local
          or (o.utc - o.after) at time zone p_timezone <> o.local
      union
      select o.utc - o.after
        from offsets as o
       where o.before <> o.after
         and (o.utc - o.after) at time zone p_timezone = o.local
         and ((o.utc - o.before) at time zone p_timezone <> o.local or cardinality(v_cron.hours) = 24)
    )
    select min(t.tick)
      into v_tick
      from ticks as t
     where t.tick > p_after
       and t.tick <= p_after + v_span;
    exit when v_tick is not null;
  end loop;

  if v_tick is null then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" never ticks after %s', left(p_cron, 200), p_after),
      hint    = 'There is no such day: 31 April, 30 February.';
  end if;
  return v_tick;
end;
$$;

comment on function tasklib.cron_next(text, text, timestamptz) is
$$When a cron expression ticks next after an instant, in a time zone that exists. Raises TK422 for an expression that is none or never ticks.$$;

revoke all on function tasklib.cron_next(text, text, timestamptz) from public;
