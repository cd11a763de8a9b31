create or replace function tasker.cron_near_change(
  p_cron      tasker.cron_fields,
  p_timezone  text,
  p_around    timestamptz,
  p_after     timestamptz
)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- Clocks are put forward or back by less than three hours. So check the local times of three hours before and after.
  v_from   timestamp := p_around at time zone p_timezone - interval '3 hours';
  v_until  timestamp := p_around at time zone p_timezone + interval '3 hours';
  v_every  boolean   := cardinality(p_cron.hours) = 24;
  v_tick   timestamptz;
begin
  with times as (
    select h.hour + make_interval(mins => m.minute) as local
      from generate_series(date_trunc('hour', v_from), v_until, '1 hour') as h (hour)
     cross join unnest(p_cron.minutes) as m (minute)
     where extract(hour from h.hour)::integer = any (p_cron.hours)
       and tasker.cron_day(p_cron, h.hour::date) = h.hour::date
  ),
  offsets as (
    -- The offsets of the zone from UTC a day before and a day after. They differ if the clock is changed in between.
    select t.local, t.local at time zone 'UTC' as utc,
           (z.instant - interval '1 day') at time zone p_timezone - (z.instant - interval '1 day') at time zone 'UTC' as before,
           (z.instant + interval '1 day') at time zone p_timezone - (z.instant + interval '1 day') at time zone 'UTC' as after
      from times as t
     cross join lateral (select t.local at time zone p_timezone as instant) as z
     where t.local between v_from and v_until
  ),
  ticks as (
    -- Convert local times to instants. Usually a local time is exactly one instant. A local time that the clock skips
    -- becomes later by the amount that the clock is put forward. For a local time that comes twice, take the first
    -- instant, or both instants if the expression names every hour.
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
       and ((o.utc - o.before) at time zone p_timezone <> o.local or v_every)
  )
  select min(t.tick)
    into v_tick
    from ticks as t
   where t.tick > p_after;
  return v_tick;
end;
$$;

comment on function tasker.cron_near_change is
$$Returns the first tick after p_after within three hours of p_around, for a time when clocks are changed nearby. Returns null if there is no such tick.$$;
