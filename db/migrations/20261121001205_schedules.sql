-- schedules: tasks that recur: by cron expression or interval, one task a tick
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/data/schedule_settings.sql
-- down: delete from tasker.settings as s where s.name in ('schedule_seconds', 'schedule_ticks', 'missed_tick_seconds');

insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
select
  d.name,
  d.kind,
  d.value,
  d.value,
  d.minimum,
  d.maximum,
  d.description
from (values
  ('schedule_seconds', 'integer', '60', 1, 86400, 'How often maintenance checks the next runs of schedules against the clock.'),
  ('schedule_ticks', 'integer', '1000', 1, 100000, 'How many entries the history of one schedule keeps.'),
  ('missed_tick_seconds', 'integer', '60', 1, 86400, 'How late a tick of a schedule may be before it counts as missed.')
) as d (name, kind, value, minimum, maximum, description);
-- <<<

-- >>> db/schema/tables/features/schedules/schedules.sql
create table tasker.schedules (
  -- The UUID is above the UUIDs of all tasks, so that the schedule's timer lies in no range of tasks.
  schedule_uuid       uuid         not null  default ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid,
  namespace           text         not null,
  schedule            text         not null,
  task_name           text         not null,
  task_version        text,
  cron                text,
  every_seconds       integer,
  timezone            text         not null,
  jitter_seconds      integer      not null,
  starts_at           timestamptz,
  ends_at             timestamptz,
  catch_up            text         not null,
  catch_up_limit      integer      not null,
  overlap             text         not null,
  context             jsonb        not null,
  priority            integer      not null,
  tags                text[]       not null,
  deadline_seconds    integer,
  anchor_at           timestamptz  not null,
  next_tick_at        timestamptz,
  due_at              timestamptz,
  queued_tick_at      timestamptz,
  backfill_next_at    timestamptz,
  backfill_until      timestamptz,
  backfill_overlap    text,
  last_tick_at        timestamptz,
  last_task_uuid      uuid,
  running_tasks       uuid[]       not null  default '{}',
  caught_up           integer      not null  default 0,
  tick_count          bigint       not null  default 0,
  failures            integer      not null  default 0,
  last_error          text,
  last_error_at       timestamptz,
  paused_at           timestamptz,
  paused_by           text,
  paused_login        text,
  paused_role         text,
  checked_at          timestamptz  not null,
  created_at          timestamptz  not null,
  created_by          text         not null,
  updated_at          timestamptz  not null,
  updated_by          text         not null,
  creator_namespaces  text[],

  constraint schedules_pkey
    primary key (schedule_uuid),
  constraint schedules_schedule_key
    unique (namespace, schedule),
  constraint schedules_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name),
  constraint schedules_schedule_check
    check (length(schedule) between 1 and 200),
  constraint schedules_cron_check
    check ((cron is null) <> (every_seconds is null)),
  constraint schedules_every_seconds_check
    check (every_seconds > 0),
  constraint schedules_ends_at_check
    check (ends_at > starts_at),
  constraint schedules_catch_up_check
    check (catch_up in ('skip', 'one', 'all')),
  constraint schedules_overlap_check
    check (overlap in ('allow', 'skip', 'queue_one')),
  constraint schedules_backfill_check
    check (
      (backfill_next_at is null) = (backfill_until is null)
      and (backfill_next_at is null) = (backfill_overlap is null)
      and backfill_overlap in ('allow', 'one_by_one')
    ),
  constraint schedules_paused_check
    check ((paused_at is null) = (paused_by is null) and (paused_at is null) = (paused_login is null)),
  constraint schedules_due_at_check
    check (paused_at is null or due_at is null)
);

create index schedules_checked_idx
  on tasker.schedules (checked_at);

comment on index tasker.schedules_checked_idx is
  'Serves maintenance: the schedules whose next tick was computed longest ago, or by a clock that was ahead.';

comment on table tasker.schedules is
  'Schedules of recurring tasks: the template from which the tasks are created, and the times. Each schedule has one timer, of kind fire_schedule, for its next check.';
comment on column tasker.schedules.task_version is
  'The version of the template. Null means that each tick uses the newest version that is not retired.';
comment on column tasker.schedules.anchor_at is
  'The time from which an interval is counted: the start, or the creation of the schedule.';
comment on column tasker.schedules.next_tick_at is
  'The tick that comes next, without jitter. Null after the last tick.';
comment on column tasker.schedules.due_at is
  'The time when the schedule is checked next: its next tick with its jitter, the next attempt after an error, or sooner while a tick is queued or a backfill runs. Null if nothing will be due. The timer of the schedule has the same time.';
comment on column tasker.schedules.queued_tick_at is
  'The tick that waits for the running task to end, if overlap is "queue_one".';
comment on column tasker.schedules.backfill_next_at is
  'The next tick of the running backfill. Null if no backfill runs.';
comment on column tasker.schedules.running_tasks is
  'The newest 100 tasks that the schedule created and that had not ended at its last check.';
comment on column tasker.schedules.caught_up is
  'The number of missed ticks for which the schedule has created a task since a tick was last on time.';
comment on column tasker.schedules.tick_count is
  'The number of entries that were ever added to the schedule''s history. It is the number of the newest entry.';
comment on column tasker.schedules.failures is
  'The number of times in a row that a task could not be created. Each failure doubles the wait for the next attempt.';
comment on column tasker.schedules.paused_login is
  'The role that was logged in. paused_role is the role that it had set, null if it had set none.';
comment on column tasker.schedules.checked_at is
  'The time when the next tick was computed last.';
comment on column tasker.schedules.creator_namespaces is
  'The namespaces to which the session that set the schedule was bound. Tasks of the schedule start tasks only in these namespaces. Null means all namespaces.';
-- <<<

-- >>> db/schema/tables/features/schedules/schedule_ticks.sql
create table tasker.schedule_ticks (
  schedule_uuid  uuid         not null,
  tick_no        bigint       not null,
  tick_at        timestamptz  not null,
  fired_at       timestamptz  not null,
  cause          text         not null,
  outcome        text         not null,
  task_uuid      uuid,
  reason         text,

  constraint schedule_ticks_pkey
    primary key (schedule_uuid, tick_no),
  constraint schedule_ticks_schedule_fkey
    foreign key (schedule_uuid) references tasker.schedules (schedule_uuid) on delete cascade,
  constraint schedule_ticks_cause_check
    check (cause in ('tick', 'backfill', 'run_now', 'pause', 'resume')),
  constraint schedule_ticks_outcome_check
    check (outcome in ('made', 'skipped', 'queued', 'failed', 'paused', 'resumed')),
  constraint schedule_ticks_task_uuid_check
    check ((outcome = 'made') = (task_uuid is not null))
);

comment on table tasker.schedule_ticks is
  'The outcome of each tick of a schedule, and its pauses with the caller that made them. The setting schedule_ticks is the number of newest entries that are kept.';
comment on column tasker.schedule_ticks.tick_at is
  'The tick, without jitter. If several ticks were skipped together, this is the first tick.';
comment on column tasker.schedule_ticks.outcome is
  'made: the tick created a task. skipped: the tick created no task, for the given reason. queued: the tick waits for the end of the running task. failed: the task of the tick could not be created, and the schedule tries again. paused, resumed: reason names the caller.';
-- <<<

-- >>> db/schema/rows/features/schedules/schedule_runs.sql
create or replace view tasker.schedule_runs as
select
  '-infinity'::timestamptz as tick_at,
  '-infinity'::timestamptz as due_at
where false;

comment on view tasker.schedule_runs is
  'Row type: a future tick of a schedule.';
comment on column tasker.schedule_runs.due_at is
  'The time of the tick plus its jitter.';
-- <<<

-- >>> db/schema/functions/features/schedules/private/schedule_tick_after.sql
create or replace function tasker.schedule_tick_after(p_schedule tasker.schedules, p_after timestamptz)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_schedule.cron is not null then
    return tasker.cron_next(p_schedule.cron, p_schedule.timezone, p_after);
  end if;
  return p_schedule.anchor_at + make_interval(
    secs => (floor(extract(epoch from p_after - p_schedule.anchor_at) / p_schedule.every_seconds) + 1) * p_schedule.every_seconds
  );
end;
$$;

comment on function tasker.schedule_tick_after is
$$Returns the first tick after an instant, as if the schedule had neither start nor end. An interval is in elapsed seconds, and is not affected by the time zone.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/schedule_next_tick.sql
create or replace function tasker.schedule_next_tick(p_schedule tasker.schedules, p_after timestamptz)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- A tick exactly at the start counts, too.
  v_after timestamptz := greatest(p_after, p_schedule.starts_at - interval '1 microsecond');
  v_tick  timestamptz;
begin
  if v_after >= p_schedule.ends_at then
    return null;
  end if;
  v_tick := tasker.schedule_tick_after(p_schedule, v_after);
  return case when v_tick > p_schedule.ends_at then null else v_tick end;
end;
$$;

comment on function tasker.schedule_next_tick is
$$Returns the first tick of a schedule after an instant, between the schedule's start and end, or null if there is no such tick.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/schedule_tick_due_at.sql
create or replace function tasker.schedule_tick_due_at(p_schedule tasker.schedules, p_tick timestamptz)
  returns timestamptz
  language sql
  immutable
begin atomic
  select p_tick + make_interval(
    secs => case
      when p_schedule.jitter_seconds = 0 then 0
      else mod(abs(hashtextextended(p_schedule.schedule_uuid::text, extract(epoch from p_tick)::bigint)::numeric), p_schedule.jitter_seconds * 1000)
           ::double precision / 1000
    end
  );
end;

comment on function tasker.schedule_tick_due_at is
$$Returns the time when a tick is due: the tick plus a delay below jitter_seconds. The delay depends only on the schedule and the tick, so that every session computes the same time.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/schedule_due_at.sql
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
  -- A queued tick waits for a running task. The end of the task does not wake the schedule, so check it each second.
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
$$Returns the time of the next check of a schedule: at its next tick, a second from now while a tick or the backfill waits for a running task, and now if the backfill may continue. After a failure the next check is at least 10 seconds later; each further failure doubles this delay, up to an hour. Returns null if the schedule is paused or has no further tick.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/raise_schedule_not_found.sql
create or replace function tasker.raise_schedule_not_found(p_namespace text, p_schedule text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = case
      when p_namespace is null then 'the namespace of the schedule is null'
      when p_schedule is null then 'the name of the schedule is null'
      else format('schedule "%s/%s" does not exist', left(p_namespace, 100), left(p_schedule, 200))
    end,
    hint    = 'tasker.list_schedules() lists schedules; tasker.set_schedule() makes one.';
end;
$$;

comment on function tasker.raise_schedule_not_found is
$$Raises TK404 for a schedule that does not exist.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/lock_schedule.sql
create or replace function tasker.lock_schedule(p_namespace text, p_schedule text)
  returns tasker.schedules
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_schedule tasker.schedules;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  select s.*
    into v_schedule
    from tasker.schedules as s
   where s.namespace = p_namespace
     and s.schedule = p_schedule
     for no key update;
  if not found then
    perform tasker.raise_schedule_not_found(p_namespace, p_schedule);
  end if;
  return v_schedule;
end;
$$;

comment on function tasker.lock_schedule is
$$Locks a schedule, waiting if necessary, and returns it. Raises TK404 if there is no such schedule, TK403 if the caller is bound to other namespaces.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/check_schedule.sql
create or replace function tasker.check_schedule(p_schedule tasker.schedules)
  returns void
  language plpgsql
  stable
as $$
declare
  v_name     text := format('%s/%s', left(p_schedule.namespace, 100), left(p_schedule.schedule, 200));
  v_template tasker.creation_templates;
begin
  perform tasker.check_text_size('name of a schedule', p_schedule.schedule, 200);
  perform tasker.check_text_size('cron expression', p_schedule.cron, 200);
  perform tasker.check_depth('context of a schedule', p_schedule.context);
  perform tasker.check_instant('start of a schedule', p_schedule.starts_at);
  perform tasker.check_instant('end of a schedule', p_schedule.ends_at);
  if p_schedule.namespace is null or coalesce(p_schedule.schedule, '') = '' or (p_schedule.cron is null) = (p_schedule.every_seconds is null) then
    raise exception using
      errcode = 'TK422',
      message = case
        when p_schedule.namespace is null then 'the namespace of the schedule is null'
        when coalesce(p_schedule.schedule, '') = '' then 'a schedule needs a name'
        else format('schedule "%s" has %s', v_name, case when p_schedule.cron is null then 'neither a cron expression nor an interval' else 'both a cron expression and an interval' end)
      end,
      hint    = 'Give a name of 1 to 200 characters, and either p_cron, such as "0 6 * * *", or p_every_seconds.';
  elsif (coalesce(p_schedule.every_seconds, 1) between 1 and 315360000
      and p_schedule.jitter_seconds between 0 and 86400
      and p_schedule.catch_up in ('skip', 'one', 'all')
      and p_schedule.catch_up_limit between 1 and 10000
      and p_schedule.overlap in ('allow', 'skip', 'queue_one')
      and coalesce(p_schedule.deadline_seconds, 1) between 1 and 315360000) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s" cannot be set like this', v_name),
      detail  = format(
        'every %s seconds, jitter %s seconds, catch-up %s up to %s, overlap %s, deadline %s seconds',
        coalesce(p_schedule.every_seconds::text, '-'), coalesce(p_schedule.jitter_seconds::text, 'null'),
        coalesce(left(p_schedule.catch_up, 100), 'null'), coalesce(p_schedule.catch_up_limit::text, 'null'),
        coalesce(left(p_schedule.overlap, 100), 'null'), coalesce(p_schedule.deadline_seconds::text, '-')
      ),
      hint    = 'Intervals and deadlines are 1 second to 10 years, jitter at most a day; catch-up is skip, one or all, up to 10,000; overlap is allow, skip or queue_one.';
  elsif p_schedule.ends_at <= greatest(p_schedule.starts_at, tasker.clock()) then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s" ends before it ticks', v_name),
      detail  = format('start %s, end %s', coalesce(p_schedule.starts_at::text, 'now'), p_schedule.ends_at),
      hint    = 'The end is after now and after the start.';
  end if;
  perform tasker.check_timezone(p_schedule.timezone);

  v_template := tasker.find_template(p_schedule.namespace, p_schedule.task_name, p_schedule.task_version);
  -- The tick is the identity. The template's own identity does not matter.
  v_template.identity_strategy := 'always_unique';
  perform tasker.check_task_requests(
    v_template, p_schedule.namespace || '/' || p_schedule.task_name, array[p_schedule.context], null, null
  );
  perform tasker.check_task_arguments(p_schedule.priority, p_schedule.tags, null, null, null, null, null, null);
end;
$$;

comment on function tasker.check_schedule is
$$Raises TK404 if a schedule's template does not exist, TK410 if it is retired, TK413 if the schedule's context or a text is too large, TK422 for any other invalid field of the schedule.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/open_tasks_of.sql
create or replace function tasker.open_tasks_of(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  stable
as $$
begin
  return array(
    select u.task_uuid
      from unnest(p_task_uuids) with ordinality as u (task_uuid, no)
     cross join lateral (
       select t.complete
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
       offset 0
     ) as t
     where not t.complete
     order by u.no
  );
end;
$$;

comment on function tasker.open_tasks_of is
$$Returns those of the given tasks that are open, in the same order.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/note_tick.sql
create or replace function tasker.note_tick(
  p_schedule   tasker.schedules,
  p_tick       timestamptz,
  p_cause      text,
  p_outcome    text,
  p_task_uuid  uuid,
  p_reason     text
)
  returns tasker.schedules
  language plpgsql
as $$
begin
  p_schedule.tick_count := p_schedule.tick_count + 1;
  insert into tasker.schedule_ticks (schedule_uuid, tick_no, tick_at, fired_at, cause, outcome, task_uuid, reason)
  values (
    p_schedule.schedule_uuid, p_schedule.tick_count, p_tick, tasker.write_clock(), p_cause, p_outcome, p_task_uuid, p_reason
  );
  delete from tasker.schedule_ticks as k
   where k.schedule_uuid = p_schedule.schedule_uuid
     and k.tick_no <= p_schedule.tick_count - tasker.setting_integer('schedule_ticks');
  return p_schedule;
end;
$$;

comment on function tasker.note_tick is
$$Adds an entry to the history of a schedule and deletes the entries beyond the setting schedule_ticks. Returns the schedule with its new count. The caller holds the schedule's row, and writes it afterwards.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/schedule_actor.sql
create or replace function tasker.schedule_actor(p_actor text)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return format('by %s; logged in: %s', p_actor, session_user)
         || coalesce('; role: ' || tasker.set_role(), '');
end;
$$;

comment on function tasker.schedule_actor is
$$Returns a text for the history of a schedule that names the caller of an operation: the actor, the login role, and the role from SET ROLE, if any.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/make_tick.sql
create or replace function tasker.make_tick(
  p_schedule  tasker.schedules,
  p_tick      timestamptz,
  p_cause     text,
  p_actor     text,
  p_reason    text  default null
)
  returns tasker.schedules
  language plpgsql
as $$
declare
  v_tick_text text := to_char(p_tick at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
  v_creator   text[] := p_schedule.creator_namespaces;
  v_request   tasker.task_requests;
  v_creation  tasker.task_creations;
begin
  -- The session of run_schedule_now counts as a creator of the task. A claim that happens to find a tick due does not.
  if p_cause = 'run_now' then
    v_creator := tasker.narrowed(v_creator, tasker.bound_namespaces());
  end if;

  -- The tick is the identity of the task. Only the holder of the schedule's row locks this identity. So a claim, which
  -- may hold tasks, waits for no other transaction here.
  v_request.namespace := p_schedule.namespace;
  v_request.name := p_schedule.task_name;
  v_request.contexts := array[p_schedule.context];
  v_request.version := p_schedule.task_version;
  v_request.priority := p_schedule.priority;
  v_request.tags := p_schedule.tags;
  v_request.initiator := p_actor;
  v_request.reason := p_reason;
  v_request.source_system := 'schedule';
  v_request.headers := jsonb_build_object('schedule', p_schedule.schedule, 'tick', v_tick_text);
  v_request.deadline := tasker.clock() + make_interval(secs => p_schedule.deadline_seconds);
  v_request.tick := concat_ws(
    ' ', p_schedule.schedule_uuid, case when p_cause = 'run_now' then gen_random_uuid()::text else v_tick_text end
  );
  v_request.creator_namespaces := v_creator;
  v_creation := (tasker.make_tasks(v_request))[1];

  p_schedule.last_tick_at := greatest(p_schedule.last_tick_at, p_tick);
  p_schedule.last_task_uuid := v_creation.task_uuid;
  p_schedule.running_tasks := array_remove(p_schedule.running_tasks, v_creation.task_uuid) || v_creation.task_uuid;
  p_schedule.running_tasks := p_schedule.running_tasks[greatest(1, cardinality(p_schedule.running_tasks) - 99):];
  p_schedule.failures := 0;
  p_schedule.last_error := null;
  p_schedule.last_error_at := null;
  return tasker.note_tick(
    p_schedule, p_tick, p_cause, 'made', v_creation.task_uuid, case when not v_creation.created then 'had been made before' end
  );
end;
$$;

comment on function tasker.make_tick is
$$Creates the task of a tick, or finds the task if it was created before, and returns the changed schedule. The caller holds the schedule's row, and writes it afterwards. Raises the errors of create_task.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/take_tick.sql
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
-- <<<

-- >>> db/schema/functions/features/schedules/private/write_schedule.sql
create or replace function tasker.write_schedule(p_schedule tasker.schedules)
  returns tasker.schedules
  language plpgsql
as $$
begin
  p_schedule.due_at := tasker.schedule_due_at(p_schedule);
  p_schedule.checked_at := tasker.write_clock();
  update tasker.schedules as s
     set anchor_at        = p_schedule.anchor_at,
         next_tick_at     = p_schedule.next_tick_at,
         due_at           = p_schedule.due_at,
         queued_tick_at   = p_schedule.queued_tick_at,
         backfill_next_at = p_schedule.backfill_next_at,
         backfill_until   = p_schedule.backfill_until,
         backfill_overlap = p_schedule.backfill_overlap,
         last_tick_at     = p_schedule.last_tick_at,
         last_task_uuid   = p_schedule.last_task_uuid,
         running_tasks    = p_schedule.running_tasks,
         caught_up        = p_schedule.caught_up,
         tick_count       = p_schedule.tick_count,
         failures         = p_schedule.failures,
         last_error       = p_schedule.last_error,
         last_error_at    = p_schedule.last_error_at,
         paused_at        = p_schedule.paused_at,
         paused_by        = p_schedule.paused_by,
         paused_login     = p_schedule.paused_login,
         paused_role      = p_schedule.paused_role,
         checked_at       = p_schedule.checked_at
   where s.schedule_uuid = p_schedule.schedule_uuid;

  if p_schedule.due_at is null then
    delete from tasker.timers as m
     where m.task_uuid = any (array[p_schedule.schedule_uuid]);
  else
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    values (p_schedule.schedule_uuid, 'fire_schedule', p_schedule.due_at, p_schedule.namespace)
    on conflict (task_uuid, step_no, kind) do update
       set due_at = excluded.due_at;
  end if;
  return p_schedule;
end;
$$;

comment on function tasker.write_schedule is
$$Writes the columns of a schedule that its runs change, and writes or deletes its timer. The caller holds the schedule's row. Locks the timer.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/fire_schedule.sql
create or replace function tasker.fire_schedule(p_schedule_uuid uuid)
  returns boolean
  language plpgsql
as $$
declare
  v_schedule tasker.schedules;
  v_now      timestamptz := tasker.clock();
begin
  select s.*
    into v_schedule
    from tasker.schedules as s
   where s.schedule_uuid = p_schedule_uuid
     for no key update skip locked;
  if not found then
    -- Another transaction has locked the schedule, and will write the timer again.
    update tasker.timers as m
       set due_at = v_now + interval '1 second'
     where m.task_uuid = any (array[p_schedule_uuid]);
    return false;
  end if;

  begin
    v_schedule := tasker.take_tick(v_schedule);
  exception when others then
    -- The error belongs to the schedule: the schedule shows it, and the tick is tried again later. The claim that found
    -- the tick due continues.
    v_schedule.failures := v_schedule.failures + 1;
    v_schedule.last_error := format('%s: %s', sqlstate, left(sqlerrm, 1000));
    v_schedule.last_error_at := v_now;
    v_schedule := tasker.note_tick(
      v_schedule,
      coalesce(
        case when tasker.schedule_tick_due_at(v_schedule, v_schedule.next_tick_at) <= v_now then v_schedule.next_tick_at end,
        v_schedule.queued_tick_at, v_schedule.backfill_next_at, v_now
      ),
      case when v_schedule.backfill_next_at is not null and (v_schedule.next_tick_at <= v_now) is not true then 'backfill' else 'tick' end,
      'failed', null, v_schedule.last_error
    );
  end;
  v_schedule := tasker.write_schedule(v_schedule);
  return true;
end;
$$;

comment on function tasker.fire_schedule is
$$Does the due work of a schedule, at most one tick. After an error, rolls the tick back and records the error in the schedule; the tick is tried again later. Returns false if another transaction holds the schedule's row. The caller holds the schedule's timer.$$;
-- <<<

-- >>> db/schema/functions/doors/due/private/due.sql
create or replace function tasker.due(
  p_due      tasker.timers[],
  p_locked   uuid[],
  p_budgets  tasker.fire_budgets,
  p_singly   boolean  default false
)
  returns integer
  language plpgsql
as $$
declare
  v_xact   bigint := pg_current_xact_id()::text::bigint;
  v_waited uuid[];
  v_waits  integer[];
  v_noted  boolean;
  v_mapped uuid[];
  v_maps   integer[];
  v_undone uuid[];
  v_raced  uuid[];
  v_races  integer[];
  v_late   tasker.timers[];
  v_begun  uuid[];
  v_begins integer[];
  v_served uuid[];
  v_fired  integer;
begin
  if p_singly then
    perform tasker.deliver_event(
      p_due[1].task_uuid, least(p_budgets.timers, p_budgets.receivers, 60), p_budgets.head_start, p_budgets.processor_uuid, true
    );
    return 1;
  end if;
  select
    array_agg(d.task_uuid) filter (where d.kind = 'end_wait'),
    array_agg(d.step_no) filter (where d.kind = 'end_wait'),
    array_agg(d.task_uuid order by d.due_at) filter (where d.kind = 'expand_map'),
    array_agg(d.step_no order by d.due_at) filter (where d.kind = 'expand_map'),
    array_agg(d.task_uuid) filter (where d.kind = 'undo_task'),
    array_agg(d.task_uuid order by d.task_uuid, d.step_no) filter (where d.kind = 'end_race'),
    array_agg(d.step_no order by d.task_uuid, d.step_no) filter (where d.kind = 'end_race'),
    array_agg(d order by d.task_uuid, d.step_no) filter (where d.kind = 'start_within'),
    bool_or(d.kind in ('start_child', 'child_ended', 'cancel_child')),
    array_agg(d.task_uuid order by d.task_uuid) filter (where d.kind = 'serve_run'),
    -- Leave notes that this transaction wrote to a later transaction, because this transaction does not see the rows
    -- that other transactions are about to commit.
    array_agg(d.task_uuid) filter (where d.kind = 'match_wait' and d.xact <> v_xact),
    array_agg(d.step_no) filter (where d.kind = 'match_wait' and d.xact <> v_xact),
    count(*) filter (where d.kind not in ('task_deadline', 'start_task', 'advance_task', 'retry_step') and (d.kind <> 'match_wait' or d.xact <> v_xact))
    into v_waited, v_waits, v_mapped, v_maps, v_undone, v_raced, v_races, v_late, v_noted, v_served, v_begun, v_begins, v_fired
    from unnest(p_due) as d
   where d.task_uuid = any (p_locked);
  -- Match waits before the time-outs, because an event that came in time ends the wait.
  if v_begun is not null then
    perform tasker.match_waits(v_begun, v_begins, p_budgets.processor_uuid);
  end if;
  if cardinality(p_locked) < cardinality(p_due) then
    v_fired := v_fired + tasker.fire_events(p_due, p_budgets);
  end if;
  if v_waited is not null then
    perform tasker.fire_waits(v_waited, v_waits, p_budgets.processor_uuid);
  end if;
  if v_raced is not null then
    perform tasker.end_races(v_raced, v_races, p_budgets.processor_uuid);
  end if;
  if v_late is not null then
    perform tasker.fail_late_starts(v_late, p_budgets.processor_uuid);
  end if;
  if v_mapped is not null then
    perform tasker.expand_maps(v_mapped, v_maps, p_budgets);
  end if;
  if v_undone is not null then
    perform tasker.undo_tasks(v_undone, p_budgets.processor_uuid);
  end if;
  if v_noted then
    perform tasker.fire_notes(array(select d from unnest(p_due) as d where d.task_uuid = any (p_locked)), p_budgets.processor_uuid);
  end if;
  if v_served is not null then
    perform tasker.fire_runs(v_served, p_budgets.processor_uuid);
  end if;
  if cardinality(p_locked) < cardinality(p_due) then
    -- Each of these timers creates a task, so a claim fires only a few of them. The next claim finds the rest due.
    v_fired := v_fired + (
      select count(*) filter (where tasker.fire_schedule(d.task_uuid))
        from (select d.task_uuid from unnest(p_due) as d where d.kind = 'fire_schedule' limit 20) as d
    );
  end if;
  return v_fired;
end;
$$;

comment on function tasker.due is
$$Door: timers whose kind belongs to a feature are due. p_locked are the locked tasks of these timers. Fires the timers, kind by kind, and returns how many. With p_singly, delivers only the event of the first timer, to receivers one by one.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/check_schedules.sql
create or replace function tasker.check_schedules(p_limit integer default 100)
  returns integer
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
  v_now      timestamptz := tasker.write_clock();
  v_schedule tasker.schedules;
  v_next     timestamptz;
  v_error    text;
  v_ahead    integer := 0;
begin
  -- First take the schedules whose last check lies in the future (the clock was ahead then), then the schedules whose last check is
  -- longest ago.
  for v_schedule in
    select s.*
      from tasker.schedules as s
     where s.schedule_uuid = any (
             array(select a.schedule_uuid from tasker.schedules as a where a.checked_at > v_now order by a.checked_at desc limit p_limit)
             || array(select a.schedule_uuid from tasker.schedules as a where a.checked_at <= v_now order by a.checked_at limit p_limit)
           )
     order by s.checked_at > v_now desc, s.checked_at
     limit p_limit
       for no key update skip locked
  loop
    -- Read the clock again after the lock, because a claim that fired a tick meanwhile has read a later time.
    v_now := tasker.write_clock();
    v_ahead := v_ahead + (v_schedule.checked_at > v_now)::integer;
    v_error := null;
    begin
      v_next := tasker.schedule_next_tick(v_schedule, v_now);
    exception when others then
      -- Keep the error in the schedule, as fire_schedule does. An example is a time zone that no longer exists.
      v_error := format('%s: %s', sqlstate, left(sqlerrm, 1000));
    end;
    if v_error is not null then
      v_schedule.last_error := v_error;
    elsif v_next < v_schedule.next_tick_at or v_schedule.next_tick_at is null then
      v_schedule.next_tick_at := v_next;
    end if;
    v_schedule.last_error_at := least(v_schedule.last_error_at, v_now);
    perform tasker.write_schedule(v_schedule);
  end loop;
  return v_ahead;
end;
$$;

comment on function tasker.check_schedules is
$$Computes the next ticks of at most p_limit schedules again, and moves them back if they are too far ahead, because the clock was put back or the rules of a time zone have changed. Skips locked schedules. A tick that fires again finds its task by its identity. Returns the number of schedules that had been checked by a clock that was ahead.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/private/change_schedule.sql
create or replace function tasker.change_schedule(p_schedule_uuid uuid, p_new tasker.schedules, p_now timestamptz, p_actor text)
  returns tasker.schedules
  language plpgsql
as $$
declare
  v_new tasker.schedules;
begin
  update tasker.schedules as s
     set task_name          = p_new.task_name,
         task_version       = p_new.task_version,
         cron               = p_new.cron,
         every_seconds      = p_new.every_seconds,
         timezone           = p_new.timezone,
         jitter_seconds     = p_new.jitter_seconds,
         starts_at          = p_new.starts_at,
         ends_at            = p_new.ends_at,
         catch_up           = p_new.catch_up,
         catch_up_limit     = p_new.catch_up_limit,
         overlap            = p_new.overlap,
         context            = p_new.context,
         priority           = p_new.priority,
         tags               = p_new.tags,
         deadline_seconds   = p_new.deadline_seconds,
         creator_namespaces = p_new.creator_namespaces,
         -- Clear the error, because the change may have removed its cause.
         failures           = 0,
         last_error         = null,
         last_error_at      = null,
         updated_at         = p_now,
         updated_by         = tasker.actor_name(p_actor)
   where s.schedule_uuid = p_schedule_uuid
     and (
       s.anchor_at = 'infinity'
       or (s.task_name, s.task_version, s.cron, s.every_seconds, s.timezone, s.jitter_seconds, s.starts_at, s.ends_at, s.catch_up,
           s.catch_up_limit, s.overlap, s.context, s.priority, s.tags, s.deadline_seconds,
           s.creator_namespaces)
          is distinct from
          (p_new.task_name, p_new.task_version, p_new.cron, p_new.every_seconds, p_new.timezone, p_new.jitter_seconds, p_new.starts_at,
           p_new.ends_at, p_new.catch_up, p_new.catch_up_limit, p_new.overlap,
           -- If the same context was encrypted again with the same key, only the ciphertext differs. A different
           -- ciphertext alone does not count as a change.
           case when s.context #> '{pgtasker,hash}' is not null and s.context #- '{pgtasker,ct}' = p_new.context #- '{pgtasker,ct}'
             then s.context
             else p_new.context end,
           p_new.priority, p_new.tags, p_new.deadline_seconds, p_new.creator_namespaces)
     )
  returning s.* into v_new;
  return v_new;
end;
$$;

comment on function tasker.change_schedule is
$$Updates a schedule and clears its errors. Returns the schedule, or null if nothing changed. The caller has locked the schedule.$$;
-- <<<

-- >>> db/schema/functions/features/schedules/set_schedule.sql
create or replace function tasker.set_schedule(
  p_namespace         text,
  p_schedule          text,
  p_task_name         text,
  p_cron              text         default null,
  p_every_seconds     integer      default null,
  p_timezone          text         default 'UTC',
  p_task_version      text         default null,
  p_context           jsonb        default '{}',
  p_priority          integer      default 0,
  p_tags              text[]       default '{}',
  p_deadline_seconds  integer      default null,
  p_jitter_seconds    integer      default 0,
  p_starts_at         timestamptz  default null,
  p_ends_at           timestamptz  default null,
  p_catch_up          text         default 'one',
  p_catch_up_limit    integer      default 100,
  p_overlap           text         default 'allow',
  p_actor             text         default null,
  p_reason            text         default null
)
  returns setof tasker.schedules
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now  timestamptz := tasker.clock();
  v_old  tasker.schedules;
  v_new  tasker.schedules;
begin
  p_timezone       := coalesce(p_timezone, 'UTC');
  p_context        := coalesce(p_context, '{}');
  p_priority       := coalesce(p_priority, 0);
  p_tags           := coalesce(p_tags, '{}');
  p_jitter_seconds := coalesce(p_jitter_seconds, 0);
  p_catch_up       := coalesce(p_catch_up, 'one');
  p_catch_up_limit := coalesce(p_catch_up_limit, 100);
  p_overlap        := coalesce(p_overlap, 'allow');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  v_new.namespace := p_namespace;
  v_new.schedule := p_schedule;
  v_new.task_name := p_task_name;
  v_new.task_version := p_task_version;
  v_new.cron := p_cron;
  v_new.every_seconds := p_every_seconds;
  v_new.timezone := p_timezone;
  v_new.jitter_seconds := p_jitter_seconds;
  v_new.starts_at := p_starts_at;
  v_new.ends_at := p_ends_at;
  v_new.catch_up := p_catch_up;
  v_new.catch_up_limit := p_catch_up_limit;
  v_new.overlap := p_overlap;
  v_new.context := p_context;
  v_new.priority := p_priority;
  v_new.tags := p_tags;
  v_new.deadline_seconds := p_deadline_seconds;
  v_new.creator_namespaces := tasker.bound_namespaces();
  perform tasker.check_schedule(v_new);

  insert into tasker.schedules as s (
    namespace, schedule, task_name, task_version, cron, every_seconds, timezone, jitter_seconds, starts_at, ends_at,
    catch_up, catch_up_limit, overlap, context, priority, tags, deadline_seconds, anchor_at, checked_at,
    created_at, created_by, updated_at, updated_by, creator_namespaces
  )
  values (
    v_new.namespace, v_new.schedule, v_new.task_name, v_new.task_version, v_new.cron, v_new.every_seconds, v_new.timezone,
    v_new.jitter_seconds, v_new.starts_at, v_new.ends_at, v_new.catch_up, v_new.catch_up_limit, v_new.overlap,
    v_new.context, v_new.priority, v_new.tags, v_new.deadline_seconds, 'infinity', v_now, v_now,
    tasker.actor_name(p_actor), v_now, tasker.actor_name(p_actor),
    v_new.creator_namespaces
  )
  -- Insert and read in one statement. Otherwise another session could delete the schedule after an insertion that did
  -- nothing.
  on conflict (namespace, schedule) do update
     set checked_at = s.checked_at
  returning s.* into v_old;

  -- The row is locked now. The time is read again, so that a tick that fired while this call waited for the lock does not
  -- fire a second time.
  if v_old.anchor_at <> 'infinity' then
    v_now := tasker.write_clock();
  end if;
  v_new := tasker.change_schedule(v_old.schedule_uuid, v_new, v_now, p_actor);
  if v_new.schedule_uuid is null then
    return next v_old;
    return;
  end if;

  -- A change that keeps the ticks also keeps the next tick. Every deployment sets the same schedule again, and a
  -- deployment must not lose a tick that is just due.
  if v_old.anchor_at = 'infinity'
     or (v_old.cron, v_old.every_seconds, v_old.timezone, v_old.starts_at, v_old.ends_at)
        is distinct from (v_new.cron, v_new.every_seconds, v_new.timezone, v_new.starts_at, v_new.ends_at) then
    v_new.anchor_at := coalesce(v_new.starts_at, date_trunc('second', v_now));
    v_new.next_tick_at := tasker.schedule_next_tick(v_new, v_now);
    v_new.queued_tick_at := null;
  end if;
  v_new := tasker.write_schedule(v_new);
  perform tasker.notify_steps_ready(p_namespace);
  perform tasker.notify_orchestrators();
  return next v_new;
end;
$$;

comment on function tasker.set_schedule is
$$Sets a schedule, which creates a task of a template at every tick of a cron expression in a time zone, or every p_every_seconds, from now or p_starts_at until p_ends_at. If the namespace has a schedule of this name, changes that schedule. Returns the schedule.

The tick is the identity of its task, so each tick creates one task, however many workers and orchestrators fire it. A tick is due up to p_jitter_seconds after its time; the same tick always has the same delay. p_catch_up decides about missed ticks, which are late by more than the setting missed_tick_seconds. "skip" creates no task for them. "one" creates a single task, with the time of the first missed tick. "all" creates a task for each missed tick, the oldest first, for up to p_catch_up_limit ticks. While a task of the schedule runs, the next tick creates another task ("allow"), is skipped ("skip"), or waits until the running task has ended ("queue_one"). At most one tick waits.

Idempotent: an identical schedule keeps its next tick. p_actor is the caller's role by default. Locks the schedule, then its timer. Raises TK404 if there is no such template, TK410 if the version is retired, TK413 if the context or a text is too large, TK422 if an argument is malformed or the expression never ticks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.set_schedule to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/schedules/delete_schedule.sql
create or replace function tasker.delete_schedule(
  p_namespace  text,
  p_schedule   text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_uuid uuid;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  delete from tasker.schedules as s
   where s.namespace = p_namespace
     and s.schedule = p_schedule
  returning s.schedule_uuid into v_uuid;
  if not found then
    return false;
  end if;
  delete from tasker.timers as m
   where m.task_uuid = any (array[v_uuid]);
  return true;
end;
$$;

comment on function tasker.delete_schedule is
$$Ends a schedule and deletes its history. Returns true if the schedule existed. Tasks that the schedule created stay.

Idempotent. Locks the schedule, then its timer. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.delete_schedule to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/schedules/pause_schedule.sql
create or replace function tasker.pause_schedule(
  p_namespace  text,
  p_schedule   text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_schedule tasker.schedules;
begin
  perform tasker.administer(p_actor, p_reason);
  v_schedule := tasker.lock_schedule(p_namespace, p_schedule);
  if v_schedule.paused_at is not null then
    return false;
  end if;
  v_schedule.paused_at := tasker.clock();
  v_schedule.paused_by := tasker.actor_name(p_actor);
  v_schedule.paused_login := session_user;
  v_schedule.paused_role := tasker.set_role();
  v_schedule := tasker.note_tick(
    v_schedule, v_schedule.paused_at, 'pause', 'paused', null, tasker.schedule_actor(v_schedule.paused_by)
  );
  perform tasker.write_schedule(v_schedule);
  return true;
end;
$$;

comment on function tasker.pause_schedule is
$$Stops a schedule and its backfill from creating tasks. Tasks that the schedule created continue. Returns true if this call
paused the schedule, false if the schedule was paused before.

Ticks during the pause get no task later. p_actor is the caller's role by default. The schedule and its history record the actor and the login role. Locks the schedule, then its timer. Raises TK404 if there is no such schedule, TK413 if the actor's name is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.pause_schedule to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/schedules/resume_schedule.sql
create or replace function tasker.resume_schedule(
  p_namespace  text,
  p_schedule   text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_schedule tasker.schedules;
  v_now      timestamptz;
begin
  perform tasker.administer(p_actor, p_reason);
  v_schedule := tasker.lock_schedule(p_namespace, p_schedule);
  if v_schedule.paused_at is null then
    return false;
  end if;
  v_schedule.paused_at := null;
  v_schedule.paused_by := null;
  v_schedule.paused_login := null;
  v_schedule.paused_role := null;
  v_schedule.failures := 0;
  -- The clock is read under the lock, so the time is later than every tick that fired before.
  v_now := tasker.write_clock();
  v_schedule.next_tick_at := tasker.schedule_next_tick(v_schedule, v_now);
  v_schedule := tasker.note_tick(v_schedule, v_now, 'resume', 'resumed', null, tasker.schedule_actor(tasker.actor_name(p_actor)));
  perform tasker.write_schedule(v_schedule);
  perform tasker.notify_steps_ready(p_namespace);
  perform tasker.notify_orchestrators();
  return true;
end;
$$;

comment on function tasker.resume_schedule is
$$Ends the pause of a schedule. Its next tick is after now. Returns true if this call resumed the schedule, false if the schedule was not paused. The schedule's history names the caller.

Locks the schedule, then its timer. Raises TK404 if there is no such schedule, TK422 if its expression has no further tick, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.resume_schedule to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/schedules/run_schedule_now.sql
create or replace function tasker.run_schedule_now(
  p_namespace  text,
  p_schedule   text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns setof tasker.schedule_ticks
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_schedule tasker.schedules;
begin
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_text_size('reason', p_reason, 1000);
  v_schedule := tasker.lock_schedule(p_namespace, p_schedule);
  v_schedule := tasker.make_tick(v_schedule, tasker.clock(), 'run_now', tasker.actor_name(p_actor), p_reason);
  v_schedule := tasker.write_schedule(v_schedule);
  return query
  select k.*
    from tasker.schedule_ticks as k
   where k.schedule_uuid = v_schedule.schedule_uuid
     and k.tick_no = v_schedule.tick_count;
end;
$$;

comment on function tasker.run_schedule_now is
$$Creates a task of a schedule now, in addition to the tasks of its ticks, even if the schedule is paused or one of its tasks still runs. Returns the new entry of the schedule's history, with the task's UUID. The next tick does not change.

p_actor (by default the caller's role) becomes the initiator of the task, and p_reason its reason. Each call creates
another task. Locks the schedule, then its timer, then takes the locks of create_task. Raises TK404 if there is no such
schedule or template, TK410 if the version is retired, TK413 if the actor's name or the reason is too long, TK507 if there
is no partition for the task, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.run_schedule_now to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/schedules/backfill_schedule.sql
create or replace function tasker.backfill_schedule(
  p_namespace  text,
  p_schedule   text,
  p_from       timestamptz,
  p_until      timestamptz,
  p_overlap    text         default 'one_by_one',
  p_actor      text         default null,
  p_reason     text         default null
)
  returns setof tasker.schedules
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_schedule tasker.schedules;
begin
  p_overlap := coalesce(p_overlap, 'one_by_one');
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_instant('start of a backfill', p_from);
  perform tasker.check_instant('end of a backfill', p_until);
  if p_from is not null then
    perform tasker.check_recent_sign_in();
  end if;
  v_schedule := tasker.lock_schedule(p_namespace, p_schedule);
  if p_from is null and p_until is null then
    v_schedule.backfill_next_at := null;
    v_schedule.backfill_until := null;
    v_schedule.backfill_overlap := null;
    return next tasker.write_schedule(v_schedule);
    return;
  end if;

  if (p_from <= p_until and p_until <= tasker.clock() and p_overlap in ('allow', 'one_by_one')) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s/%s" cannot be backfilled like this', p_namespace, p_schedule),
      detail  = format('from %s until %s, overlap %s', p_from, p_until, left(p_overlap, 100)),
      hint    = 'Both times lie in the past, the later one last; overlap is allow or one_by_one. Null for both ends the backfill that runs.';
  elsif v_schedule.backfill_next_at is not null then
    raise exception using
      errcode = 'TK409',
      message = format('schedule "%s/%s" is being backfilled', p_namespace, p_schedule),
      detail  = format('It is at %s and goes on until %s.', v_schedule.backfill_next_at, v_schedule.backfill_until),
      hint    = 'Wait for its end, or end it: tasker.backfill_schedule(namespace, schedule, null, null).';
  end if;

  -- Ticks before the schedule's start may be backfilled, too.
  v_schedule.backfill_next_at := tasker.schedule_tick_after(v_schedule, p_from - interval '1 microsecond');
  if v_schedule.backfill_next_at > p_until then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s/%s" has no tick to backfill', p_namespace, p_schedule),
      detail  = format('After %s the first one is %s.', p_from, v_schedule.backfill_next_at),
      hint    = 'Name a longer time.';
  end if;
  v_schedule.backfill_until := p_until;
  v_schedule.backfill_overlap := p_overlap;
  v_schedule := tasker.write_schedule(v_schedule);
  perform tasker.notify_steps_ready(p_namespace);
  perform tasker.notify_orchestrators();
  return next v_schedule;
end;
$$;

comment on function tasker.backfill_schedule is
$$Creates the tasks for a schedule's ticks in a past period, from p_from to p_until, both included. Later claims create these tasks: each task after the end of the preceding task ("one_by_one"), or without waiting ("allow"). A tick that has a task already gets no other task. Returns the schedule, whose columns backfill_… show the progress. If both times are null, the function ends the running backfill.

The backfill has an overlap policy of its own, because a policy that skips would create only the task of the first tick. A pause of the schedule also pauses the backfill. Locks the schedule, then its timer. Raises TK428 for a person whose sign-in is too old. Raises TK404 if there is no such schedule, TK409 if a backfill runs, TK422 if the times are not in the past or the period has no tick, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.backfill_schedule to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/schedules/list_schedules.sql
create or replace function tasker.list_schedules(p_namespace text default null)
  returns setof tasker.schedules
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select s.*
    from tasker.schedules as s
   where (p_namespace is null or s.namespace = p_namespace)
     and (v_bound is null or s.namespace = any (v_bound))
   order by s.namespace, s.schedule;
end;
$$;

comment on function tasker.list_schedules is
$$Returns the schedules of a namespace, or of all namespaces, by name: the next and the last tick, the last task, the queued tick, the running backfill, and the error that keeps the schedule from creating tasks. A bound caller sees its namespaces only. Raises TK403 if the caller is not bound to the named namespace.$$;

grant execute on function tasker.list_schedules
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/schedules/list_schedule_ticks.sql
create or replace function tasker.list_schedule_ticks(
  p_namespace  text,
  p_schedule   text,
  p_limit      integer  default 100,
  p_before     bigint   default null
)
  returns setof tasker.schedule_ticks
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_uuid uuid;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  select s.schedule_uuid
    into v_uuid
    from tasker.schedules as s
   where s.namespace = p_namespace
     and s.schedule = p_schedule;
  if not found then
    perform tasker.raise_schedule_not_found(p_namespace, p_schedule);
  end if;
  return query
  select k.*
    from tasker.schedule_ticks as k
   where k.schedule_uuid = v_uuid
     and (p_before is null or k.tick_no < p_before)
   order by k.tick_no desc
   limit p_limit;
end;
$$;

comment on function tasker.list_schedule_ticks is
$$Lists the outcomes of a schedule's ticks, the newest first. A tick created a task (with its UUID), was skipped, was
queued, or failed, each with the reason. The list also has the pauses and resumptions of the schedule with their actors.
Returns at most p_limit entries; if p_before is given, only entries with lower numbers. The setting schedule_ticks is the
number of entries that the history keeps. Raises TK404 if there is no such schedule, TK422 for a limit out of range, TK403
if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_schedule_ticks
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/schedules/next_runs.sql
create or replace function tasker.next_runs(p_namespace text, p_schedule text, p_limit integer default 10)
  returns setof tasker.schedule_runs
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_schedule tasker.schedules;
  v_run      tasker.schedule_runs;
begin
  p_limit := coalesce(p_limit, 10);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 1000);
  select s.*
    into v_schedule
    from tasker.schedules as s
   where s.namespace = p_namespace
     and s.schedule = p_schedule;
  if not found then
    perform tasker.raise_schedule_not_found(p_namespace, p_schedule);
  end if;

  v_run.tick_at := case
    when v_schedule.paused_at is null then v_schedule.next_tick_at
    else tasker.schedule_next_tick(v_schedule, tasker.clock())
  end;
  for i in 1 .. p_limit loop
    exit when v_run.tick_at is null;
    v_run.due_at := tasker.schedule_tick_due_at(v_schedule, v_run.tick_at);
    return next v_run;
    v_run.tick_at := tasker.schedule_next_tick(v_schedule, v_run.tick_at);
  end loop;
end;
$$;

comment on function tasker.next_runs is
$$Returns the next ticks of a schedule, at most p_limit, each with the time when it is due, including its jitter. For a paused schedule, returns the ticks that would follow if it were resumed now. Raises TK404 if there is no such schedule, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.next_runs
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001205', 'data/schedule_settings 0497f182c01bdbce
functions/doors/due/private/due da570d2fa94f71ce
functions/features/schedules/backfill_schedule aa52ea09f835d455
functions/features/schedules/delete_schedule 799a2636d85d096f
functions/features/schedules/list_schedule_ticks 13d75f9472295c9f
functions/features/schedules/list_schedules 8b0e4762f0f429c4
functions/features/schedules/next_runs 45664e51b655fafe
functions/features/schedules/pause_schedule eb16a3fbf404517b
functions/features/schedules/private/change_schedule 7be1c1ce40ba229f
functions/features/schedules/private/check_schedule 41cd93d875c2821c
functions/features/schedules/private/check_schedules 8aa8a3fed33b88fe
functions/features/schedules/private/fire_schedule b8547a107f9ae9fc
functions/features/schedules/private/lock_schedule 1cc355b9ea2cb40a
functions/features/schedules/private/make_tick 435a6ebbb19bb25a
functions/features/schedules/private/note_tick ff040273aae46aeb
functions/features/schedules/private/open_tasks_of 20fdaa160a02ffa1
functions/features/schedules/private/raise_schedule_not_found ed669729ee9e6025
functions/features/schedules/private/schedule_actor 8b0ca8e4c691466c
functions/features/schedules/private/schedule_due_at 00d09f7c7c9ca38f
functions/features/schedules/private/schedule_next_tick 22cddcda78cae4cf
functions/features/schedules/private/schedule_tick_after 0752b56e4cda382a
functions/features/schedules/private/schedule_tick_due_at b8f559e3634b7897
functions/features/schedules/private/take_tick 0038516d4949331f
functions/features/schedules/private/write_schedule 2dad04f8f9768402
functions/features/schedules/resume_schedule c48f7365e5c10780
functions/features/schedules/run_schedule_now 6d9c571f1743c03a
functions/features/schedules/set_schedule b31a85d668da68ae
rows/features/schedules/schedule_runs 18b50cbb6065aa39
tables/features/schedules/schedule_ticks d7ca93f2f6c157f9
tables/features/schedules/schedules 4be1e5a430f34dd9
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001205';

drop function tasker.next_runs;
drop function tasker.list_schedule_ticks;
drop function tasker.list_schedules;
drop function tasker.backfill_schedule;
drop function tasker.run_schedule_now;
drop function tasker.resume_schedule;
drop function tasker.pause_schedule;
drop function tasker.delete_schedule;
drop function tasker.set_schedule;
drop function tasker.change_schedule;
drop function tasker.check_schedules;
drop function tasker.due;
drop function tasker.fire_schedule;
drop function tasker.write_schedule;
drop function tasker.take_tick;
drop function tasker.make_tick;
drop function tasker.schedule_actor;
drop function tasker.note_tick;
drop function tasker.open_tasks_of;
drop function tasker.check_schedule;
drop function tasker.lock_schedule;
drop function tasker.raise_schedule_not_found;
drop function tasker.schedule_due_at;
drop function tasker.schedule_tick_due_at;
drop function tasker.schedule_next_tick;
drop function tasker.schedule_tick_after;
drop view tasker.schedule_runs;
drop table tasker.schedule_ticks;
drop table tasker.schedules;
delete from tasker.settings as s where s.name in ('schedule_seconds', 'schedule_ticks', 'missed_tick_seconds');

reset role;
