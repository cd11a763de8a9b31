-- tasklib_schedules: recurring tasks by cron expression and time zone
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

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
  tick_count       bigint            not null  default 0,
  failures         integer           not null  default 0,
  last_error       text,
  last_error_at    timestamptz,
  retry_at         timestamptz,

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
  'The schedules. A schedule submits a task at every tick of its cron expression.';
comment on column tasklib.schedules.next_at is
  'The time of the next tick. The transaction that submits the task of a tick also advances this time, and holds the lock of the row, so that each tick has one task.';
comment on column tasklib.schedules.missed is
  'The policy for missed ticks: skip (no task), once (one task for all missed ticks) or all (a task for each missed tick).';
comment on column tasklib.schedules.created_by is
  'The role that created or last changed the schedule. The tasks of the schedule have this role as submitted_by.';
comment on column tasklib.schedules.tick_count is
  'The number of entries ever added to the schedule''s history. It is the tick_no of the newest entry.';
comment on column tasklib.schedules.failures is
  'The number of consecutive failures to fire the schedule. Each failure doubles the time until the next attempt, up to an hour.';
comment on column tasklib.schedules.retry_at is
  'The time of the next attempt after a failure. Null if the last attempt did not fail.';
comment on index tasklib.schedules_name_idx is
  'Serves the foreign key to tasklib.registered_tasks.';
comment on index tasklib.schedules_due_idx is
  'Serves fire_schedules: schedules by their next tick.';
-- <<<

-- >>> db/schema/tasklib/tables/schedule_ticks.sql
create table tasklib.schedule_ticks (
  schedule  text collate "C"  not null,
  tick_no   bigint            not null,
  tick_at   timestamptz       not null,
  fired_at  timestamptz       not null,
  outcome   text              not null,
  task_id   uuid,
  reason    text,

  constraint schedule_ticks_pkey
    primary key (schedule, tick_no),
  constraint schedule_ticks_schedule_fkey
    foreign key (schedule) references tasklib.schedules (schedule) on delete cascade,
  constraint schedule_ticks_outcome_check
    check (outcome in ('made', 'skipped', 'failed')),
  constraint schedule_ticks_task_id_check
    check ((outcome = 'made') = (task_id is not null))
);

comment on table tasklib.schedule_ticks is
  'The history of each schedule: the outcomes of its ticks. The setting schedule_ticks says how many of the newest entries of a schedule are kept.';
comment on column tasklib.schedule_ticks.outcome is
  'made: the task of the tick was submitted. skipped: the tick was missed and has no task. failed: the task could not be submitted, and the tick is tried again.';
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
  p_tags             jsonb    default '{}',
  p_actor            text     default null,
  p_reason           text     default null
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
  p_timezone := coalesce(p_timezone, 'UTC');
  p_kwargs   := coalesce(p_kwargs, '{}');
  p_missed   := coalesce(p_missed, 'once');
  p_priority := coalesce(p_priority, 0);
  p_tags     := coalesce(p_tags, '{}');
  perform tasker.administer(p_actor, p_reason);
  if not exists (select from tasklib.registered_tasks as r where r.name = p_name) then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  if length(p_schedule) between 1 and 200 is not true or p_missed in ('skip', 'once', 'all') is not true
     or p_priority is null then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s" is invalid', left(p_schedule, 200)),
      detail  = format('missed %s, priority %s', left(p_missed, 100), p_priority),
      hint    = 'Its name has 1 to 200 characters; missed ticks are skip, once or all.';
  end if;
  perform tasklib.check_submissions(
    array[p_kwargs], null, null, array[p_max_retries], array[p_timeout_seconds], array[coalesce(p_tags, '{}')], null, null
  );
  v_next := tasklib.next_tick(p_cron, p_timezone, v_now);

  -- If the expression and the time zone do not change, keep the next tick. Every worker repeats this call when it starts, and
  -- must not drop a tick that is just due.
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
         next_at         = case when (s.cron, s.timezone) = (excluded.cron, excluded.timezone) then s.next_at else tasklib.next_tick(excluded.cron, excluded.timezone, tasklib.write_clock()) end,
         priority        = excluded.priority,
         max_retries     = excluded.max_retries,
         timeout_seconds = excluded.timeout_seconds,
         kwargs          = excluded.kwargs,
         tags            = excluded.tags,
         created_by      = excluded.created_by,
         -- Clear the error, because the change may have fixed its cause.
         failures        = 0,
         last_error      = null,
         last_error_at   = null,
         retry_at        = null
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

comment on function tasklib.schedule_task is
$$Creates a schedule, which from now on submits a task at every tick of a cron expression in a time zone. Replaces a schedule of the same name. The tasks have the tags of p_tags and two more tags, "schedule" and "tick".

Any number of workers may fire the schedule, and each tick has one task. A tick is missed if no worker fired it for longer than the setting missed_tick_seconds. If p_missed is "skip", missed ticks have no task. If it is "once", one task replaces all missed ticks. If it is "all", each missed tick has a task. Idempotent: a call with the same arguments keeps the next tick. Locks the schedule. Raises TK404 if the name is not registered, TK413 and TK422 as submit_tasks and next_tick do.$$;

grant execute on function tasklib.schedule_task
  to tasklib_submitter, tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/unschedule_task.sql
create or replace function tasklib.unschedule_task(
  p_schedule  text,
  p_actor     text  default null,
  p_reason    text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text;
begin
  perform tasker.administer(p_actor, p_reason);
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

comment on function tasklib.unschedule_task is
$$Deletes a schedule. Returns true if the schedule existed. Keeps the tasks that the schedule submitted.

Idempotent. Locks the schedule.$$;

grant execute on function tasklib.unschedule_task to tasklib_submitter, tasklib_operator;
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

comment on function tasklib.list_schedules is
$$Returns all schedules in the order of their names, each with its next tick, its last tick, the task of that tick, and the last error if the schedule could not be fired.$$;

grant execute on function tasklib.list_schedules
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

comment on function tasklib.submit_tick is
$$Submits the task of one tick of a schedule and returns the task's id. The role that created the schedule counts as the submitter.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/note_tick.sql
create or replace function tasklib.note_tick(
  p_schedule  tasklib.schedules,
  p_tick      timestamptz,
  p_outcome   text,
  p_task_id   uuid,
  p_reason    text
)
  returns tasklib.schedules
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  p_schedule.tick_count := p_schedule.tick_count + 1;
  insert into tasklib.schedule_ticks (schedule, tick_no, tick_at, fired_at, outcome, task_id, reason)
  values (p_schedule.schedule, p_schedule.tick_count, p_tick, tasklib.clock(), p_outcome, p_task_id, p_reason);
  delete from tasklib.schedule_ticks as k
   where k.schedule = p_schedule.schedule
     and k.tick_no <= p_schedule.tick_count - tasklib.setting('schedule_ticks')::integer;
  return p_schedule;
end;
$$;

comment on function tasklib.note_tick is
$$Adds an entry to the history of a schedule, and deletes its oldest entries so that no more entries remain than the setting schedule_ticks allows. Returns the schedule with its new tick_count. The caller has locked the schedule's row, and writes it.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/take_ticks.sql
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
  v_schedule tasklib.schedules;
  v_after    tasklib.schedules;
  v_count    integer := 0;
begin
  p_limit := coalesce(p_limit, 100);
  if p_limit between 1 and 10000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', coalesce(p_limit::text, 'null')),
      hint    = 'One call fires 1 to 10,000 ticks.';
  end if;

  for v_schedule in
    select s.*
      from tasklib.schedules as s
     where s.next_at <= v_now
       and (s.retry_at <= v_now) is not false
     order by s.next_at
     limit p_limit
       for update skip locked
  loop
    exit when v_count >= p_limit;
    begin
      v_after := tasklib.take_ticks(v_schedule, p_limit - v_count);
      v_count := v_count + (
        select count(*)
          from tasklib.schedule_ticks as k
         where k.schedule = v_schedule.schedule
           and k.tick_no > v_schedule.tick_count
           and k.outcome = 'made'
      );
    exception when others then
      -- Record the error in the row of this schedule, try the schedule again later, and continue with the other schedules.
      v_after := v_schedule;
      v_after.failures := v_after.failures + 1;
      v_after.last_error := format('%s: %s', sqlstate, left(sqlerrm, 1000));
      v_after.last_error_at := v_now;
      v_after.retry_at := v_now + least(interval '10 seconds' * power(2, least(v_after.failures, 20) - 1), interval '1 hour');
      v_after := tasklib.note_tick(v_after, v_after.next_at, 'failed', null, v_after.last_error);
    end;

    update tasklib.schedules as s
       set next_at       = v_after.next_at,
           last_at       = v_after.last_at,
           last_task_id  = v_after.last_task_id,
           tick_count    = v_after.tick_count,
           failures      = v_after.failures,
           last_error    = v_after.last_error,
           last_error_at = v_after.last_error_at,
           retry_at      = v_after.retry_at
     where s.schedule = v_schedule.schedule;
  end loop;
  return v_count;
end;
$$;

comment on function tasklib.fire_schedules is
$$Submits at most p_limit tasks of schedules that are due, and returns how many it submitted. Workers call this function every few seconds.

Concurrent callers submit only one task for a tick: the caller that holds the schedule's lock submits the task and advances the schedule in one transaction, and all other callers skip the schedule. If a schedule cannot be fired, its row keeps the tick and shows the error. The next attempt is 10 seconds later, and each further failure doubles this delay, up to an hour. The other schedules are fired nevertheless. Raises TK422 for a limit out of bounds.$$;

grant execute on function tasklib.fire_schedules to tasklib_worker, tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/list_schedule_ticks.sql
create or replace function tasklib.list_schedule_ticks(
  p_schedule  text,
  p_limit     integer  default 100,
  p_before    bigint   default null
)
  returns setof tasklib.schedule_ticks
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  p_limit := coalesce(p_limit, 100);
  if p_limit between 1 and 10000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', coalesce(p_limit::text, 'null')),
      hint    = 'One call lists 1 to 10,000 ticks.';
  end if;
  return query
  select k.*
    from tasklib.schedule_ticks as k
   where k.schedule = p_schedule
     and (p_before is null or k.tick_no < p_before)
   order by k.tick_no desc
   limit p_limit;
end;
$$;

comment on function tasklib.list_schedule_ticks is
$$Returns the history of a schedule, newest tick first: the outcome of each tick (made, skipped or failed), its task, and the reason if the tick has no task. Returns at most p_limit ticks. With p_before, returns only ticks with a lower tick_no. Returns no row for a schedule that does not exist. The setting schedule_ticks says how many ticks the history keeps. Raises TK422 for a limit out of bounds.$$;

grant execute on function tasklib.list_schedule_ticks
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/data/administered_tables.sql
-- down: delete from tasker.administered_tables where name like 'tasklib.%';
insert into tasker.administered_tables (name, key_columns, left_out, seeded)
values
  ('tasklib.registered_tasks', '{name}', '{keyed,limited}', false),
  ('tasklib.schedules', '{schedule}', '{next_at,last_at,last_task_id,tick_count,failures,last_error,last_error_at,retry_at}', false),
  ('tasklib.settings', '{name}', '{kind,default_value,minimum,maximum,choices,description}', true);
-- <<<

-- >>> db/schema/tasklib/triggers/administration.sql
-- Triggers that log changes of names, schedules and settings in tasker.administration_log. The triggers for updates do not
-- name the columns that submissions and ticks write.
create or replace trigger registered_tasks_log_update
  after update of name, updated_at, description, max_retries, timeout_seconds, base_retry_delay_seconds, retry_backoff_multiplier, completed_ttl_seconds,
    failed_ttl_seconds, concurrency_limit, rate_limit, rate_period_seconds, breaker_failures, breaker_seconds, key_concurrency_limit,
    key_rate_limit, key_rate_period_seconds, allowed_roles, paused_at, paused_by on tasklib.registered_tasks
  for each row execute function tasker.log_administration();

create or replace trigger registered_tasks_log_change
  after insert or delete on tasklib.registered_tasks
  for each row execute function tasker.log_administration();

create or replace trigger registered_tasks_log_truncate
  after truncate on tasklib.registered_tasks
  for each statement execute function tasker.log_administration();

create or replace trigger schedules_log_update
  after update of schedule, name, cron, timezone, missed, priority, max_retries, timeout_seconds, kwargs, tags, created_at, created_by on tasklib.schedules
  for each row execute function tasker.log_administration();

create or replace trigger schedules_log_change
  after insert or delete on tasklib.schedules
  for each row execute function tasker.log_administration();

create or replace trigger schedules_log_truncate
  after truncate on tasklib.schedules
  for each statement execute function tasker.log_administration();

create or replace trigger settings_log_change
  after insert or update or delete on tasklib.settings
  for each row execute function tasker.log_administration();

create or replace trigger settings_log_truncate
  after truncate on tasklib.settings
  for each statement execute function tasker.log_administration();

comment on trigger registered_tasks_log_update on tasklib.registered_tasks is
  'Writes tasker.administration_log.';
comment on trigger registered_tasks_log_change on tasklib.registered_tasks is
  'Writes tasker.administration_log.';
comment on trigger registered_tasks_log_truncate on tasklib.registered_tasks is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_update on tasklib.schedules is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_change on tasklib.schedules is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_truncate on tasklib.schedules is
  'Writes tasker.administration_log.';
comment on trigger settings_log_change on tasklib.settings is
  'Writes tasker.administration_log.';
comment on trigger settings_log_truncate on tasklib.settings is
  'Writes tasker.administration_log.';
-- <<<

-- >>> db/schema/tasklib/triggers/administration_always.sql
-- down: nothing
-- Log changes also in sessions where session_replication_role is replica.
alter table tasklib.registered_tasks
  enable always trigger registered_tasks_log_update,
  enable always trigger registered_tasks_log_change,
  enable always trigger registered_tasks_log_truncate;

alter table tasklib.schedules
  enable always trigger schedules_log_update,
  enable always trigger schedules_log_change,
  enable always trigger schedules_log_truncate;

alter table tasklib.settings
  enable always trigger settings_log_change,
  enable always trigger settings_log_truncate;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121002300', 'tasklib/data/administered_tables 09b6dba56d2322c3
tasklib/functions/fire_schedules 12499926b24474d6
tasklib/functions/list_schedule_ticks 5159dd7305e00606
tasklib/functions/list_schedules 882213b08e3cc239
tasklib/functions/next_tick c318614058c140fb
tasklib/functions/private/note_tick 693e1acef3fa09ef
tasklib/functions/private/submit_tick 0a435142d27b0f46
tasklib/functions/private/take_ticks 71ebdeb887b49500
tasklib/functions/schedule_task ebcfaed93992ddaf
tasklib/functions/unschedule_task 924232b10d77c7cc
tasklib/tables/schedule_ticks a98dc870cb05e567
tasklib/tables/schedules 9a013595f64ed30d
tasklib/triggers/administration d60d63f0d6d16eaf
tasklib/triggers/administration_always 46add1705b5db00d
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121002300';

drop trigger settings_log_truncate on tasklib.settings;
drop trigger settings_log_change on tasklib.settings;
drop trigger schedules_log_truncate on tasklib.schedules;
drop trigger schedules_log_change on tasklib.schedules;
drop trigger schedules_log_update on tasklib.schedules;
drop trigger registered_tasks_log_truncate on tasklib.registered_tasks;
drop trigger registered_tasks_log_change on tasklib.registered_tasks;
drop trigger registered_tasks_log_update on tasklib.registered_tasks;
delete from tasker.administered_tables where name like 'tasklib.%';
drop function tasklib.list_schedule_ticks;
drop function tasklib.fire_schedules;
drop function tasklib.take_ticks;
drop function tasklib.note_tick;
drop function tasklib.submit_tick;
drop function tasklib.list_schedules;
drop function tasklib.unschedule_task;
drop function tasklib.schedule_task;
drop function tasklib.next_tick;
drop table tasklib.schedule_ticks;
drop table tasklib.schedules;

select tasker.note_objects();

reset role;
