-- tasklib_schedules: recurring tasks by cron expression and time zone
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local role tasker_owner;

-- >>> db/schema/tasklib/rows/cron_fields.sql
create table tasklib.cron_fields (
  minutes     integer[]  not null,
  hours       integer[]  not null,
  days        integer[]  not null,
  months      integer[]  not null,
  weekdays    integer[]  not null,
  either_day  boolean    not null,

  constraint cron_fields_row_type_check
    check (false) no inherit
);

comment on table tasklib.cron_fields is
  'Row type: a cron expression, field by field. Weekdays are 0 (Sunday) to 6.';
comment on column tasklib.cron_fields.either_day is
  'Whether day of month and weekday are both restricted: then either of them will do.';

revoke all on table tasklib.cron_fields from public;
-- <<<

-- >>> db/schema/tasklib/tables/schedules.sql
create table tasklib.schedules (
  schedule         text collate "C"  not null,
  name             text collate "C"  not null,
  cron             text              not null,
  timezone         text              not null,
  missed           text              not null,
  next_at          timestamptz       not null,
  last_at          timestamptz,
  last_task_id     uuid,
  priority         integer           not null,
  max_retries      integer,
  timeout_seconds  integer,
  kwargs           jsonb             not null,
  tags             jsonb             not null,
  created_at       timestamptz       not null,
  created_by       text              not null,

  constraint schedules_pkey
    primary key (schedule),
  constraint schedules_name_fkey
    foreign key (name) references tasklib.registered_tasks (name),
  constraint schedules_schedule_check
    check (length(schedule) between 1 and 200),
  constraint schedules_missed_check
    check (missed in ('skip', 'once', 'all'))
);

create index schedules_name_idx on tasklib.schedules (name);
create index schedules_due_idx on tasklib.schedules (next_at);

comment on table tasklib.schedules is
  'Recurring tasks: what is submitted at every tick of a cron expression.';
comment on column tasklib.schedules.next_at is
  'The tick that comes next. Whoever submits its task moves it on, under the row''s lock: one task a tick.';
comment on column tasklib.schedules.missed is
  'What becomes of ticks that nobody was there to keep: skip, once (one task for all of them) or all.';
comment on column tasklib.schedules.created_by is
  'The role in whose name the tasks are submitted.';
comment on index tasklib.schedules_name_idx is
  'For the foreign key.';
comment on index tasklib.schedules_due_idx is
  'For fire_schedules.';

revoke all on table tasklib.schedules from public;
-- <<<

-- >>> db/schema/tasklib/functions/private/cron_values.sql
create or replace function tasklib.cron_values(
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
  v_part   text;
  v_match  text[];
  v_low    integer;
  v_high   integer;
  v_step   integer;
  v_values integer[] := '{}';
begin
  foreach v_part in array string_to_array(lower(p_field), ',') loop
    -- * or a value or a range, each with a step or without; a value is a number or one of the names.
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
    v_values := v_values || array(select g from generate_series(v_low, v_high, v_step) as g);
  end loop;
  return array(select distinct u.value from unnest(v_values) as u (value) order by u.value);
end;
$$;

comment on function tasklib.cron_values(text, text, text, integer, integer, text[]) is
$$The values of one field of a cron expression, in order. Raises TK422 for a field that is none.$$;

revoke all on function tasklib.cron_values(text, text, text, integer, integer, text[]) from public;
-- <<<

-- >>> db/schema/tasklib/functions/private/parse_cron.sql
create or replace function tasklib.parse_cron(
  p_cron text
)
  returns tasklib.cron_fields
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_fields text[];
  v_cron   tasklib.cron_fields;
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

  v_cron.minutes := tasklib.cron_values(p_cron, 'minute', v_fields[1], 0, 59, null);
  v_cron.hours := tasklib.cron_values(p_cron, 'hour', v_fields[2], 0, 23, null);
  v_cron.days := tasklib.cron_values(p_cron, 'day of month', v_fields[3], 1, 31, null);
  v_cron.months := tasklib.cron_values(
    p_cron, 'month', v_fields[4], 1, 12, array['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
  );
  -- Sunday is 0 and 7.
  v_cron.weekdays := array(
    select distinct u.day % 7
      from unnest(tasklib.cron_values(
             p_cron, 'weekday', v_fields[5], 0, 7, array['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
           )) as u (day)
     order by 1
  );
  if v_fields[5] like '*/%' then
    -- The step counts from 0 to 6: a seventh day would be a second Sunday.
    v_cron.weekdays := tasklib.cron_values(p_cron, 'weekday', v_fields[5], 0, 6, null);
  end if;
  v_cron.either_day := v_fields[3] not like '*%' and v_fields[5] not like '*%';
  return v_cron;
end;
$$;

comment on function tasklib.parse_cron(text) is
$$A cron expression of five fields (or @daily and the like), parsed. Raises TK422, with the field, if it is none.$$;

revoke all on function tasklib.parse_cron(text) from public;
-- <<<

-- >>> db/schema/tasklib/functions/private/cron_next.sql
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
-- <<<

-- >>> db/schema/tasklib/functions/next_tick.sql
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
  if p_timezone is null or not exists (select from pg_timezone_names as z where z.name = p_timezone) then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no time zone', left(p_timezone, 100)),
      hint    = 'Take a name of pg_timezone_names, such as Europe/Berlin or UTC.';
  end if;
  if p_after not between timestamptz '0001-01-01 00:00:00Z' and timestamptz '9999-12-31 00:00:00Z' then
    raise exception using
      errcode = 'TK422',
      message = format('there is no tick after %s', p_after),
      hint    = 'The expression matches no day, or the time is out of range.';
  end if;
  return tasklib.cron_next(p_cron, p_timezone, coalesce(p_after, tasklib.clock()));
end;
$$;

comment on function tasklib.next_tick(text, text, timestamptz) is
$$When a cron expression ticks next after an instant (null is now), in a time zone. Minute, hour, day of month, month, weekday; lists, ranges, steps and English names; or @hourly, @daily, @weekly, @monthly, @yearly. If day of month and weekday are both restricted, either of them will do.

When clocks change, every tick comes once: a time that is skipped is as much later as clocks are put forward, a time that comes twice counts the first time. Expressions for every hour go on every hour. Raises TK422 for an expression that is none or never ticks, and for an unknown time zone.$$;

revoke all on function tasklib.next_tick(text, text, timestamptz) from public;
grant execute on function tasklib.next_tick(text, text, timestamptz)
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/schedule_task.sql
create or replace function tasklib.schedule_task(
  p_schedule         text,
  p_name             text,
  p_cron             text,
  p_timezone         text     default 'UTC',
  p_kwargs           jsonb    default '{}',
  p_missed           text     default 'once',
  p_priority         integer  default 0,
  p_max_retries      integer  default null,
  p_timeout_seconds  integer  default null,
  p_tags             jsonb    default '{}'
)
  returns setof tasklib.schedules
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now  timestamptz := tasklib.clock();
  v_next timestamptz;
begin
  if not exists (select from tasklib.registered_tasks as r where r.name = p_name) then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  if length(p_schedule) between 1 and 200 is not true or p_missed in ('skip', 'once', 'all') is not true
     or p_priority is null then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s" cannot be', left(p_schedule, 200)),
      detail  = format('missed %s, priority %s', left(p_missed, 100), p_priority),
      hint    = 'Its name has 1 to 200 characters; missed ticks are skip, once or all.';
  end if;
  perform tasklib.check_submissions(
    array[p_kwargs], null, null, array[p_max_retries], array[p_timeout_seconds], array[coalesce(p_tags, '{}')], null
  );
  v_next := tasklib.next_tick(p_cron, p_timezone, v_now);

  -- Whatever does not change when it ticks leaves the next tick as it is: every worker says the same
  -- when it starts, and a tick that is just due must not be lost by it.
  insert into tasklib.schedules as s
    (schedule, name, cron, timezone, missed, next_at, priority, max_retries, timeout_seconds, kwargs, tags, created_at, created_by)
  values
    (p_schedule, p_name, p_cron, p_timezone, p_missed, v_next, p_priority, p_max_retries, p_timeout_seconds, p_kwargs,
     coalesce(p_tags, '{}'), v_now, tasklib.caller_name())
  on conflict (schedule) do update
     set name            = excluded.name,
         cron            = excluded.cron,
         timezone        = excluded.timezone,
         missed          = excluded.missed,
         next_at         = case when (s.cron, s.timezone) = (excluded.cron, excluded.timezone) then s.next_at else excluded.next_at end,
         priority        = excluded.priority,
         max_retries     = excluded.max_retries,
         timeout_seconds = excluded.timeout_seconds,
         kwargs          = excluded.kwargs,
         tags            = excluded.tags,
         created_by      = excluded.created_by
   where (s.name, s.cron, s.timezone, s.missed, s.priority, s.max_retries, s.timeout_seconds, s.kwargs, s.tags)
      is distinct from
         (excluded.name, excluded.cron, excluded.timezone, excluded.missed, excluded.priority, excluded.max_retries,
          excluded.timeout_seconds, excluded.kwargs, excluded.tags);
  if found then
    perform tasklib.log_action('schedule', null, p_name, jsonb_build_object(
      'schedule', p_schedule, 'cron', p_cron, 'timezone', p_timezone, 'missed', p_missed));
  end if;
  return query select s.* from tasklib.schedules as s where s.schedule = p_schedule;
end;
$$;

comment on function tasklib.schedule_task(text, text, text, text, jsonb, text, integer, integer, integer, jsonb) is
$$Submits a task at every tick of a cron expression in a time zone, from now on; a schedule of the same name is changed to this. Its tasks carry the tags schedule and tick beside their own.

Any number of workers keep it, one task a tick. Ticks that were missed (nobody was there for longer than the setting missed_tick_seconds) are left out (skip), made up for by one task (once) or by one each (all). Idempotent: a schedule that says the same already keeps its next tick. Locks the schedule. Raises TK404 if the name is not registered, TK413 and TK422 as submit_tasks and next_tick do.$$;

revoke all on function tasklib.schedule_task(text, text, text, text, jsonb, text, integer, integer, integer, jsonb) from public;
grant execute on function tasklib.schedule_task(text, text, text, text, jsonb, text, integer, integer, integer, jsonb)
  to tasklib_submitter, tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/unschedule_task.sql
create or replace function tasklib.unschedule_task(
  p_schedule text
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text;
begin
  delete from tasklib.schedules as s
   where s.schedule = p_schedule
  returning s.name into v_name;
  if not found then
    return false;
  end if;
  perform tasklib.log_action('unschedule', null, v_name, jsonb_build_object('schedule', p_schedule));
  return true;
end;
$$;

comment on function tasklib.unschedule_task(text) is
$$Ends a schedule; true if there was one. Tasks that it submitted stay.

Idempotent. Locks the schedule.$$;

revoke all on function tasklib.unschedule_task(text) from public;
grant execute on function tasklib.unschedule_task(text) to tasklib_submitter, tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/list_schedules.sql
create or replace function tasklib.list_schedules()
  returns setof tasklib.schedules
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasklib.schedules as s
   order by s.schedule;
end;
$$;

comment on function tasklib.list_schedules() is
$$The schedules by name, with the next tick of each, and the last one with its task.$$;

revoke all on function tasklib.list_schedules() from public;
grant execute on function tasklib.list_schedules()
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/private/submit_tick.sql
create or replace function tasklib.submit_tick(
  p_schedule  tasklib.schedules,
  p_tick      timestamptz
)
  returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_id uuid;
begin
  select s.id
    into strict v_id
    from tasklib.submit_task(
           p_schedule.name, p_schedule.kwargs, 0, p_schedule.priority, p_schedule.max_retries, p_schedule.timeout_seconds,
           p_schedule.tags || jsonb_build_object('schedule', p_schedule.schedule, 'tick', p_tick)
         ) as s;
  update tasklib.tasks as t
     set submitted_by = p_schedule.created_by
   where t.id = v_id;
  return v_id;
end;
$$;

comment on function tasklib.submit_tick(tasklib.schedules, timestamptz) is
$$Submits the task of one tick, in the name of whoever made the schedule.$$;

revoke all on function tasklib.submit_tick(tasklib.schedules, timestamptz) from public;
-- <<<

-- >>> db/schema/tasklib/functions/fire_schedules.sql
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
-- <<<

reset role;

-- migrate:down
set local role tasker_owner;

drop function tasklib.fire_schedules;
drop function tasklib.submit_tick;
drop function tasklib.list_schedules;
drop function tasklib.unschedule_task;
drop function tasklib.schedule_task;
drop function tasklib.next_tick;
drop function tasklib.cron_next;
drop function tasklib.parse_cron;
drop function tasklib.cron_values;
drop table tasklib.schedules;
drop table tasklib.cron_fields;

reset role;
