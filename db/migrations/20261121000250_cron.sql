-- cron: cron expressions and what they mean where clocks change
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/rows/features/schedules/cron_fields.sql
create or replace view tasker.cron_fields as
select
  '{}'::integer[] as minutes,
  '{}'::integer[] as hours,
  '{}'::integer[] as days,
  '{}'::integer[] as months,
  '{}'::integer[] as weekdays,
  false::boolean as either_day
where false;

comment on view tasker.cron_fields is
  'Row type: a cron expression, field by field. Weekdays are 0 (Sunday) to 6.';
comment on column tasker.cron_fields.either_day is
  'Whether both the day of the month and the weekday are restricted. If so, a day matches if either of them matches.';
-- <<<

-- >>> db/schema/functions/features/schedules/private/cron_values.sql
create or replace function tasker.cron_values(
  p_cron   text,
  p_what   text,
  p_field  text,
  p_from   integer,
  p_to     integer,
  p_names  text[]
)
  returns integer[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- A slice of this array needs no query, unlike generate_series. This matters because a schedule's expression is parsed
  -- at each tick.
  v_all    constant integer[] := '{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59}';
  v_part   text;
  v_match  text[];
  v_low    integer;
  v_high   integer;
  v_step   integer;
  v_values integer[] := '{}';
begin
  if p_field = '*' then
    return v_all[p_from + 1 : p_to + 1];
  end if;
  foreach v_part in array string_to_array(lower(p_field), ',') loop
    -- A part is *, a value or a range, each with or without a step. A value is a number or one of the names.
    v_match := regexp_match(v_part, '^(?:([*])|([0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?)(?:/([0-9]{1,2}))?$');
    v_low := case
      when v_match[1] = '*' then p_from
      when v_match[2] ~ '^[0-9]' then v_match[2]::integer
      else array_position(p_names, v_match[2]) - 1 + p_from
    end;
    v_high := case
      when v_match[1] = '*' or v_match[3] is null and v_match[4] is not null then p_to
      when v_match[3] is null then v_low
      when v_match[3] ~ '^[0-9]' then v_match[3]::integer
      else array_position(p_names, v_match[3]) - 1 + p_from
    end;
    v_step := coalesce(v_match[4]::integer, 1);
    if (v_low >= p_from and v_high <= p_to and v_low <= v_high and v_step > 0) is not true then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" is no cron expression: its %s cannot be "%s"', left(p_cron, 200), p_what, left(v_part, 100)),
        hint    = format('A %s is from %s to %s: *, 1, 1-5, */2, 1-9/2%s, or several of these after commas.', p_what, p_from, p_to,
                         case when p_names is not null then format(', %s', p_names[2]) else '' end);
    end if;
    if v_step = 1 and v_part = lower(p_field) then
      return v_all[v_low + 1 : v_high + 1];
    end if;
    v_values := v_values || array(select g from generate_series(v_low, v_high, v_step) as g);
  end loop;
  return array(select distinct u.value from unnest(v_values) as u (value) order by u.value);
end;
$$;

comment on function tasker.cron_values is
$$Returns the values of one field of a cron expression, in ascending order. Raises TK422 for an invalid field.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/parse_cron.sql
create or replace function tasker.parse_cron(
  p_cron text
)
  returns tasker.cron_fields
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_fields text[];
  v_cron   tasker.cron_fields;
begin
  v_fields := regexp_split_to_array(trim(case lower(trim(p_cron))
    when '@hourly' then '0 * * * *'
    when '@daily' then '0 0 * * *'
    when '@midnight' then '0 0 * * *'
    when '@weekly' then '0 0 * * 0'
    when '@monthly' then '0 0 1 * *'
    when '@yearly' then '0 0 1 1 *'
    when '@annually' then '0 0 1 1 *'
    else p_cron
  end), '[[:space:]]+');
  if cardinality(v_fields) = 5 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no cron expression: it does not have five fields', left(p_cron, 200)),
      hint    = 'Minute, hour, day of month, month, weekday; or @hourly, @daily, @weekly, @monthly, @yearly.';
  end if;

  v_cron.minutes := tasker.cron_values(p_cron, 'minute', v_fields[1], 0, 59, null);
  v_cron.hours := tasker.cron_values(p_cron, 'hour', v_fields[2], 0, 23, null);
  v_cron.days := tasker.cron_values(p_cron, 'day of month', v_fields[3], 1, 31, null);
  v_cron.months := tasker.cron_values(
    p_cron, 'month', v_fields[4], 1, 12, array['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
  );
  -- Both 0 and 7 mean Sunday.
  v_cron.weekdays := tasker.cron_values(
    p_cron, 'weekday', v_fields[5], 0, 7, array['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
  );
  if v_fields[5] = '*' then
    v_cron.weekdays := '{0,1,2,3,4,5,6}';
  elsif 7 = any (v_cron.weekdays) then
    v_cron.weekdays := array(select distinct u.day % 7 from unnest(v_cron.weekdays) as u (day) order by 1);
  end if;
  if v_fields[5] like '*/%' then
    -- With a step, count only from 0 to 6, because 7 would be a second Sunday.
    v_cron.weekdays := tasker.cron_values(p_cron, 'weekday', v_fields[5], 0, 6, null);
  end if;
  v_cron.either_day := v_fields[3] not like '*%' and v_fields[5] not like '*%';
  return v_cron;
end;
$$;

comment on function tasker.parse_cron is
$$Parses a cron expression of five fields, or a name such as @daily. Raises TK422, with the wrong field, for an invalid expression.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/cron_day.sql
create or replace function tasker.cron_day(p_cron tasker.cron_fields, p_from date)
  returns date
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_day       date := p_from;
  v_month     integer;
  v_in_days   boolean;
  v_in_week   boolean;
begin
  -- 29 February falls on a given weekday once in 28 years, or once in 40 years if a century has no leap day in between.
  while v_day < p_from + 15000 loop
    v_month := extract(month from v_day);
    if v_month <> all (p_cron.months) then
      v_day := (date_trunc('month', v_day::timestamp) + interval '1 month')::date;
      continue;
    end if;
    v_in_days := extract(day from v_day)::integer = any (p_cron.days);
    v_in_week := extract(dow from v_day)::integer = any (p_cron.weekdays);
    if v_in_days and v_in_week or p_cron.either_day and (v_in_days or v_in_week) then
      return v_day;
    end if;
    v_day := v_day + 1;
  end loop;
  return null;
end;
$$;

comment on function tasker.cron_day is
$$Returns the first day from p_from on that a cron expression names. Returns null if there is no such day in the next 40 years.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/cron_minute.sql
create or replace function tasker.cron_minute(p_cron tasker.cron_fields, p_after integer)
  returns integer
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hour   integer;
  v_minute integer;
begin
  foreach v_hour in array p_cron.hours loop
    continue when v_hour * 60 + 59 <= p_after;
    foreach v_minute in array p_cron.minutes loop
      if v_hour * 60 + v_minute > p_after then
        return v_hour * 60 + v_minute;
      end if;
    end loop;
  end loop;
  return null;
end;
$$;

comment on function tasker.cron_minute is
$$Returns the first minute after p_after that a cron expression names. Minutes are counted from midnight. If p_after is -1, returns the first such minute of the day. Returns null if the day has no such minute.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/clocks_change.sql
create or replace function tasker.clocks_change(p_timezone text, p_at timestamptz)
  returns boolean
  language sql
  stable
begin atomic
  select (p_at - interval '3 hours') at time zone p_timezone + interval '6 hours'
      <> (p_at + interval '3 hours') at time zone p_timezone;
end;

comment on function tasker.clocks_change is
$$Returns whether clocks in a time zone are put forward or back within three hours of an instant.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/cron_near_change.sql
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
-- <<<

-- >>> db/schema/functions/features/schedules/private/cron_next.sql
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
-- <<<

-- >>> db/schema/functions/features/schedules/private/check_timezone.sql
create or replace function tasker.check_timezone(p_timezone text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_timezone is null or p_timezone <> 'UTC' and not exists (select from pg_timezone_names as z where z.name = p_timezone) then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no time zone', left(p_timezone, 100)),
      hint    = 'Take a name of pg_timezone_names, such as Europe/Berlin or UTC.';
  end if;
end;
$$;

comment on function tasker.check_timezone is
$$Raises TK422 for a text that is not the name of a time zone. For any zone except UTC the check reads the files of all zones. So the function is called when a schedule is set, but not at ticks.$$;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000250', 'functions/features/schedules/private/check_timezone 24eff2e4568ef9a1
functions/features/schedules/private/clocks_change 971c6218908d4138
functions/features/schedules/private/cron_day 9eebf8c749883c97
functions/features/schedules/private/cron_minute 21770a8df512f34e
functions/features/schedules/private/cron_near_change 376430bfacb994c5
functions/features/schedules/private/cron_next cb09aa9008a2179d
functions/features/schedules/private/cron_values 1239e69bfe21ca29
functions/features/schedules/private/parse_cron 471d1b9f2667dd9e
rows/features/schedules/cron_fields 84b3917dd4c55baa
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000250';

drop function tasker.check_timezone;
drop function tasker.cron_next;
drop function tasker.cron_near_change;
drop function tasker.clocks_change;
drop function tasker.cron_minute;
drop function tasker.cron_day;
drop function tasker.parse_cron;
drop function tasker.cron_values;
drop view tasker.cron_fields;

reset role;
