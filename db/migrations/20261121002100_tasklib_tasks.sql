-- tasklib_tasks: tasks submitted, claimed and reported
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/tasklib/types/task_state.sql
create type tasklib.task_state as enum (
  'pending',
  'running',
  'completed',
  'failed',
  'cancelled'
);

comment on type tasklib.task_state is
  'The state of a task: pending (also while a retry waits), running, and finally completed, failed or cancelled.';
-- <<<

-- >>> db/schema/tasklib/functions/clock.sql
create or replace function tasklib.clock()
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select statement_timestamp();
end;

comment on function tasklib.clock is
$$Returns the time that decides which tasks are due, which locks have ended and which schedules tick. The time is the same during a whole call.

Tests replace this function. No setting can change the time, because a client that set it could end every lock.$$;

grant execute on function tasklib.clock to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/private/write_clock.sql
create or replace function tasklib.write_clock()
  returns timestamptz
  language sql
  volatile
  parallel safe
begin atomic
  select case when tasklib.clock() = statement_timestamp() then clock_timestamp() else tasklib.clock() end;
end;

comment on function tasklib.write_clock is
$$Returns the current time, even if the statement has waited for locks. A call uses it as the start or the end of runs, and to decide about rows whose locks it waited for. If a test has replaced tasklib.clock(), returns the time of that function.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/caller_name.sql
create or replace function tasklib.caller_name()
  returns text
  language sql
  stable
begin atomic
  -- In a security definer function current_user is the owner of the function, and session_user ignores SET ROLE. Only the
  -- setting "role" shows the effect of SET ROLE.
  select coalesce(nullif(current_setting('role'), 'none'), session_user);
end;

comment on function tasklib.caller_name is
$$Returns the role that the caller acts as, even in a security definer function. The records of runs and actions name this role, and restrict_task restricts it. PostgreSQL inlines this function.$$;
-- <<<

-- >>> db/schema/tasklib/tables/settings.sql
create table tasklib.settings (
  name           text         not null,
  kind           text         not null,
  value          text         not null,
  default_value  text         not null,
  minimum        numeric,
  maximum        numeric,
  choices        text[],
  description    text         not null,
  changed_at     timestamptz,
  changed_by     text,

  constraint settings_pkey
    primary key (name),
  constraint settings_name_check
    check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  constraint settings_kind_check
    check (kind in ('integer', 'numeric', 'boolean', 'choice')),
  constraint settings_value_check
    check (tasker.setting_accepts(kind, minimum, maximum, choices, value)),
  constraint settings_default_value_check
    check (tasker.setting_accepts(kind, minimum, maximum, choices, default_value)),
  constraint settings_range_check
    check (minimum <= maximum),
  constraint settings_choices_check
    check ((kind = 'choice') = (choices is not null))
);

comment on table tasklib.settings is
  'The settings of tasklib. The function tasklib.set_setting changes a setting. If an argument of a function is null, the setting applies.';
comment on column tasklib.settings.changed_at is
  'The time of the last change. Null if the value was never changed since the migration.';
-- <<<

-- >>> db/schema/tasklib/data/settings.sql
-- down: delete from tasklib.settings;
insert into tasklib.settings (name, kind, value, default_value, minimum, maximum, description)
select
  d.name,
  d.kind,
  d.value,
  d.value,
  d.minimum,
  d.maximum,
  d.description
from (values
  ('max_retries', 'integer', '3', 0, 10000, 'Retries of a task whose name and submission do not say: 3 means at most 4 runs.'),
  ('base_retry_delay_seconds', 'numeric', '5', 0, 86400, 'Seconds before the first retry.'),
  ('retry_backoff_multiplier', 'numeric', '2', 1, 100, 'What each further retry multiplies the delay by: 5, 10, 20 seconds.'),
  ('max_retry_delay_seconds', 'integer', '86400', 0, 31536000, 'The longest delay before a retry, in seconds.'),
  ('retry_jitter', 'numeric', '0', 0, 1, 'The share of a delay that is random: 0.2 spreads it from 80 to 100 percent.'),
  ('lock_timeout_seconds', 'integer', '600', 1, 604800, 'How long a claimed task belongs to its worker without a renewal.'),
  ('default_task_timeout_seconds', 'integer', '0', 0, 31536000, 'How long a run may take if neither name nor submission says; 0 means no limit.'),
  ('kwargs_bytes', 'integer', '1048576', 2, 268435456, 'The largest arguments of one task, in bytes.'),
  ('result_bytes', 'integer', '1048576', 1, 268435456, 'The largest result of one task, in bytes.'),
  ('error_bytes', 'integer', '65536', 100, 16777216, 'How much of an error''s text is kept, in characters.'),
  ('completed_ttl_seconds', 'integer', '0', 0, 3153600000, 'How long completed and cancelled tasks are kept if their name does not say; 0 means for ever.'),
  ('failed_ttl_seconds', 'integer', '0', 0, 3153600000, 'How long failed tasks are kept if their name does not say; 0 means for ever.'),
  ('missed_tick_seconds', 'integer', '60', 1, 86400, 'A tick of a schedule that could not be kept for longer than this was missed.'),
  ('schedule_ticks', 'integer', '1000', 1, 100000, 'How many entries the history of one schedule keeps.'),
  ('audit_runs', 'boolean', 'true', null, null, 'Whether every run is recorded in task_runs: who ran what, from when to when, with which outcome.'),
  ('grants_required', 'boolean', 'false', null, null, 'Whether no worker may run a name without restrict_task, instead of every worker.')
) as d (name, kind, value, minimum, maximum, description);
-- <<<

-- >>> db/schema/tasklib/data/notify_setting.sql
-- down: delete from tasklib.settings where name = 'notify';
insert into tasklib.settings (name, kind, value, default_value, choices, description)
values (
  'notify', 'choice', 'asleep', 'asleep', '{always,asleep,off}',
  'When NOTIFY announces submitted tasks: always, only while a worker sleeps, or never (off; workers poll).'
);
-- <<<

-- >>> db/schema/tasklib/functions/private/setting.sql
create or replace function tasklib.setting(
  p_name text
)
  returns text
  language plpgsql
  stable
as $$
declare
  v_value text;
begin
  select s.value
    into v_value
    from tasklib.settings as s
   where s.name = p_name;

  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('setting %s does not exist', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasklib.list_settings() shows them all.';
  end if;
  return v_value;
end;
$$;

comment on function tasklib.setting is
$$Returns the value of a setting as text. Raises TK404 if there is no setting of that name.$$;
-- <<<

-- >>> db/schema/tasklib/functions/get_setting.sql
create or replace function tasklib.get_setting(p_name text)
  returns text
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasklib.setting(p_name);
end;
$$;

comment on function tasklib.get_setting is
$$Returns the value of a setting, as text. Raises TK404 if there is no setting of that name.$$;

grant execute on function tasklib.get_setting
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/list_settings.sql
create or replace function tasklib.list_settings()
  returns setof tasklib.settings
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasklib.settings as s
   order by s.name;
end;
$$;

comment on function tasklib.list_settings is
$$Returns all settings in the order of their names, each with its value, default, bounds and purpose, and the role and the time of its last change.$$;

grant execute on function tasklib.list_settings
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/set_setting.sql
create or replace function tasklib.set_setting(
  p_name    text,
  p_value   text,
  p_actor   text  default null,
  p_reason  text  default null
)
  returns text
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting tasklib.settings;
begin
  perform tasker.administer(p_actor, p_reason);
  select s.*
    into v_setting
    from tasklib.settings as s
   where s.name = p_name
     for update;

  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('setting %s does not exist', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasklib.list_settings() shows them all.';
  end if;

  p_value := coalesce(p_value, v_setting.default_value);
  if not tasker.setting_accepts(v_setting.kind, v_setting.minimum, v_setting.maximum, v_setting.choices, p_value) then
    raise exception using
      errcode = 'TK422',
      message = format('setting "%s" cannot be "%s"', p_name, left(p_value, 100)),
      detail  = case v_setting.kind
        when 'boolean' then 'It must be true or false.'
        when 'choice' then format('It must be one of %s.', array_to_string(v_setting.choices, ', '))
        else format('It must be of kind %s, from %s to %s.', v_setting.kind, v_setting.minimum, v_setting.maximum)
      end,
      hint    = format('The default is %s.', v_setting.default_value);
  end if;

  update tasklib.settings as s
     set value      = p_value,
         changed_at = tasklib.clock(),
         changed_by = tasklib.caller_name()
   where s.name = p_name
     and s.value <> p_value;
  return v_setting.value;
end;
$$;

comment on function tasklib.set_setting is
$$Changes a setting and returns its previous value. If p_value is null, restores the default. The new value applies from the next call of a function.

Idempotent. Locks the setting's row. Raises TK404 if there is no setting of that name, TK422 if the value has another kind or is out of bounds.$$;

grant execute on function tasklib.set_setting to tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/tables/registered_tasks.sql
create table tasklib.registered_tasks (
  name                      text collate "C"  not null,
  created_at                timestamptz       not null  default now(),
  updated_at                timestamptz       not null  default now(),
  description               text,
  max_retries               integer,
  timeout_seconds           integer,
  base_retry_delay_seconds  double precision,
  retry_backoff_multiplier  double precision,
  completed_ttl_seconds     bigint,
  failed_ttl_seconds        bigint,
  concurrency_limit         integer,
  rate_limit                integer,
  rate_period_seconds       double precision,
  breaker_failures          integer,
  breaker_seconds           double precision,
  key_concurrency_limit     integer,
  key_rate_limit            integer,
  key_rate_period_seconds   double precision,
  keyed                     boolean           not null  default false,
  limited                   boolean           not null
    generated always as (
      concurrency_limit is not null or rate_limit is not null or breaker_failures is not null or keyed
    ) stored,
  allowed_roles             text[]            not null  default '{}',
  paused_at                 timestamptz,
  paused_by                 text,

  constraint registered_tasks_pkey
    primary key (name),
  constraint registered_tasks_name_check
    check (name ~ '^[A-Za-z_][A-Za-z0-9_.:/-]{0,99}$'),
  constraint registered_tasks_max_retries_check
    check (max_retries between 0 and 10000),
  constraint registered_tasks_timeout_seconds_check
    check (timeout_seconds between 1 and 31536000),
  constraint registered_tasks_base_retry_delay_seconds_check
    check (base_retry_delay_seconds between 0 and 86400),
  constraint registered_tasks_retry_backoff_multiplier_check
    check (retry_backoff_multiplier between 1 and 100),
  constraint registered_tasks_completed_ttl_seconds_check
    check (completed_ttl_seconds between 0 and 3153600000),
  constraint registered_tasks_failed_ttl_seconds_check
    check (failed_ttl_seconds between 0 and 3153600000),
  constraint registered_tasks_concurrency_limit_check
    check (concurrency_limit between 1 and 1000000),
  constraint registered_tasks_rate_check
    check ((rate_limit is null) = (rate_period_seconds is null)
           and rate_limit between 1 and 1000000 and rate_period_seconds between 0.001 and 86400),
  constraint registered_tasks_breaker_check
    check ((breaker_failures is null) = (breaker_seconds is null)
           and breaker_failures between 1 and 1000000 and breaker_seconds between 0.001 and 86400),
  constraint registered_tasks_key_concurrency_limit_check
    check (key_concurrency_limit between 1 and 1000000),
  constraint registered_tasks_key_rate_check
    check ((key_rate_limit is null) = (key_rate_period_seconds is null)
           and key_rate_limit between 1 and 1000000 and key_rate_period_seconds between 0.001 and 86400),
  constraint registered_tasks_paused_check
    check ((paused_at is null) = (paused_by is null))
);

comment on table tasklib.registered_tasks is
  'The names that tasks may have, with the options of each name. If an option is null, the setting of that name applies, or there is no limit.';
comment on column tasklib.registered_tasks.max_retries is
  'The number of retries. A new value applies only to tasks that are submitted later, as does a new value of timeout_seconds. All other options also apply to existing tasks.';
comment on column tasklib.registered_tasks.completed_ttl_seconds is
  'The time for which completed and cancelled tasks are kept. The value 0 means for ever, even if the setting of this name is not 0.';
comment on column tasklib.registered_tasks.key_concurrency_limit is
  'The largest number of tasks of one limit key that run at the same time. Tasks without a limit key are not counted.';
comment on column tasklib.registered_tasks.key_rate_limit is
  'The largest number of tasks of one limit key that are claimed in key_rate_period_seconds. Tasks without a limit key are not counted.';
comment on column tasklib.registered_tasks.keyed is
  'Whether a task of the name was ever submitted with a limit key. If so, the limit keys take turns in claims.';
comment on column tasklib.registered_tasks.limited is
  'Whether claims of the name must check tasklib.task_limits.';
comment on column tasklib.registered_tasks.allowed_roles is
  'The roles whose members may run tasks of the name. An empty array allows every worker, or no worker if the setting grants_required is true.';
-- <<<

-- >>> db/schema/tasklib/tables/task_limits.sql
create table tasklib.task_limits (
  name          text collate "C"  not null,
  tokens        double precision  not null,
  refilled_at   timestamptz       not null,
  failures      integer           not null  default 0,
  opened_until  timestamptz,
  last_key      text collate "C"  not null  default '',

  constraint task_limits_pkey
    primary key (name),
  constraint task_limits_name_fkey
    foreign key (name) references tasklib.registered_tasks (name),
  constraint task_limits_tokens_check
    check (tokens >= 0),
  constraint task_limits_failures_check
    check (failures >= 0)
) with (fillfactor = 50);

comment on table tasklib.task_limits is
  'The state of the limits of each limited name. A claim of a name locks the name''s row, so that claims never exceed a limit.';
comment on column tasklib.task_limits.tokens is
  'The number of claims that the rate limit still allowed at the time refilled_at. The number grows evenly with time, up to rate_limit.';
comment on column tasklib.task_limits.failures is
  'The number of failed runs since a run last succeeded.';
comment on column tasklib.task_limits.opened_until is
  'The time until which the open circuit breaker allows no claims. After this time, tasks are claimed one at a time until a run succeeds. Null if the circuit breaker is closed.';
comment on column tasklib.task_limits.last_key is
  'The limit key that had the last turn. Empty if the tasks without a limit key had it.';
-- <<<

-- >>> db/schema/tasklib/tables/key_rates.sql
create table tasklib.key_rates (
  name        text collate "C"  not null,
  limit_key   text collate "C"  not null,
  paid_until  timestamptz       not null,

  constraint key_rates_pkey
    primary key (name, limit_key),
  constraint key_rates_name_fkey
    foreign key (name) references tasklib.registered_tasks (name)
) with (fillfactor = 50);

create index key_rates_paid_until_idx
  on tasklib.key_rates (name, paid_until);

comment on index tasklib.key_rates_paid_until_idx is
  'Serves purge_expired, which finds the limit keys that may use their whole rate again. Also serves claims, which find times that are too late because the clock was put back.';

comment on table tasklib.key_rates is
  'How much of key_rate_limit the tasks of a limit key have used. A limit key without a row has used none of it. A claim writes the row while it holds the lock of the name''s row in tasklib.task_limits. The function tasklib.purge_expired deletes rows whose time paid_until has passed.';
comment on column tasklib.key_rates.paid_until is
  'The time from which the limit key may use its whole rate again. Each claimed task makes this time later by key_rate_period_seconds / key_rate_limit seconds.';
-- <<<

-- >>> db/schema/tasklib/tables/tasks.sql
create table tasklib.tasks (
  id               uuid                not null,
  created_at       timestamptz         not null,
  scheduled_at     timestamptz         not null,
  locked_until     timestamptz,
  started_at       timestamptz,
  completed_at     timestamptz,
  next_retry_at    timestamptz,
  expires_at       timestamptz,
  state            tasklib.task_state  not null  default 'pending',
  priority         integer             not null  default 0,
  retry_count      integer             not null  default 0,
  max_retries      integer             not null,
  timeout_seconds  integer,
  claim_no         integer             not null  default 0,
  lock_seconds     integer,
  ready            boolean             not null,
  dedup_kept       boolean             not null  default false,
  name             text collate "C"    not null,
  worker_id        text,
  submitted_by     text                not null,
  dedup_key        text collate "C",
  limit_key        text collate "C",
  args             jsonb,
  kwargs           jsonb               not null,
  tags             jsonb,
  result           jsonb,
  error            text,
  erased_at        timestamptz,

  constraint tasks_pkey
    primary key (id),
  constraint tasks_lock_check
    check ((state = 'running') = (locked_until is not null) and (state = 'running') = (worker_id is not null)),
  constraint tasks_ready_check
    check (not ready or state = 'pending'),
  constraint tasks_completed_at_check
    check ((completed_at is not null) = (state in ('completed', 'failed', 'cancelled'))),
  constraint tasks_retry_count_check
    check (retry_count between 0 and max_retries),
  constraint tasks_claim_no_check
    check (claim_no >= 0)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_analyze_threshold = 10000
);

-- Every index except the primary key is partial. A completed task without an expiry or a kept key is only in the primary key,
-- and so does not slow claims down.
create index tasks_ready_idx on tasklib.tasks (name, priority desc, id)
  where ready and limit_key is null;
create index tasks_ready_key_idx on tasklib.tasks (name, limit_key, priority desc, id)
  where ready and limit_key is not null;
create index tasks_waiting_idx on tasklib.tasks (name, scheduled_at)
  where state = 'pending' and not ready;
create index tasks_running_idx on tasklib.tasks (name, locked_until)
  where locked_until is not null;
create index tasks_running_key_idx on tasklib.tasks (name, limit_key)
  where locked_until is not null and limit_key is not null;
create index tasks_failed_idx on tasklib.tasks (name, id)
  where state in ('failed', 'cancelled');
create index tasks_expiry_idx on tasklib.tasks (expires_at)
  where expires_at is not null;
create unique index tasks_dedup_key on tasklib.tasks (name, dedup_key)
  where dedup_key is not null and (dedup_kept or state in ('pending', 'running'));

comment on table tasklib.tasks is
  'All tasks with their data. Claims take tasks by priority, then by age. The ids are in the order of age, because an id is a UUID of version 7.';
comment on column tasklib.tasks.name is
  'A name in tasklib.registered_tasks. The function submit_tasks checks the name, because a foreign key would make bulk submission slower by a third.';
comment on column tasklib.tasks.scheduled_at is
  'The time from which the task may run. A retry or a snooze sets a new time.';
comment on column tasklib.tasks.ready is
  'Whether the task is pending and marked as due. Tasks that wait for their time are in the index tasks_waiting_idx, from which claims mark the due tasks as ready.';
comment on column tasklib.tasks.claim_no is
  'The number of times that the task was claimed. The number is never reset. A worker that reports a lower number has lost the task.';
comment on column tasklib.tasks.lock_seconds is
  'The length of the lock in seconds, counted from the claim or the last extension. After an outage of the server, the worker again has so many seconds to extend the lock.';
comment on column tasklib.tasks.retry_count is
  'The number of retries so far, each after a failure or the loss of the worker.';
comment on column tasklib.tasks.next_retry_at is
  'The time of the retry after a failed run. Null if no run failed, or the retry has begun.';
comment on column tasklib.tasks.expires_at is
  'The time when purge_expired may delete the task. Null means never.';
comment on column tasklib.tasks.submitted_by is
  'The role that submitted the task.';
comment on column tasklib.tasks.args is
  'Reserved.';
comment on column tasklib.tasks.kwargs is
  'The arguments by name.';
comment on column tasklib.tasks.result is
  'The result that the function returned: {"value": …}.';
comment on column tasklib.tasks.error is
  'The full text of the last error.';
comment on column tasklib.tasks.erased_at is
  'The time when the task''s data was erased. Null if it was not erased.';
comment on column tasklib.tasks.dedup_key is
  'The deduplication key. A submission with the same name and key returns this task instead of creating another task, while this task is pending or running. If dedup_kept is true, so does a submission after the task has ended.';
comment on column tasklib.tasks.limit_key is
  'The limit key. Tasks of a name with the same limit key share key_concurrency_limit and key_rate_limit. The limit keys of a name take turns in claims.';
comment on index tasklib.tasks_ready_idx is
  'Serves claim_tasks: due tasks without a limit key, in the order of claiming.';
comment on index tasklib.tasks_ready_key_idx is
  'Serves claim_tasks: due tasks with a limit key, in the order of claiming within each key.';
comment on index tasklib.tasks_waiting_idx is
  'Serves claim_tasks: tasks that wait for a delay, a retry or a snooze, by the time when they are due.';
comment on index tasklib.tasks_running_idx is
  'Serves claim_tasks and recover_dead, which find tasks whose lock has ended and count the running tasks of a name.';
comment on index tasklib.tasks_running_key_idx is
  'Serves claim_tasks: the number of running tasks of a limit key.';
comment on index tasklib.tasks_failed_idx is
  'Serves list_tasks and stats: failed and cancelled tasks among millions of others.';
comment on index tasklib.tasks_expiry_idx is
  'Serves purge_expired. Tasks that are kept for ever are not in this index.';
comment on index tasklib.tasks_dedup_key is
  'Serves submit_tasks: at most one open or kept task per name and deduplication key.';
-- <<<

-- >>> db/schema/tasklib/tables/task_runs.sql
create table tasklib.task_runs (
  task_id      uuid              not null,
  claim_no     integer           not null,
  name         text collate "C"  not null,
  worker_id    text              not null,
  worker_role  text,
  started_at   timestamptz       not null,
  ended_at     timestamptz       not null,
  outcome      text              not null,
  error        text,

  constraint task_runs_pkey
    primary key (task_id, claim_no),
  constraint task_runs_outcome_check
    check (outcome in ('completed', 'retrying', 'failed', 'lost', 'cancelled', 'released', 'snoozed'))
);

comment on table tasklib.task_runs is
  'The runs that have ended: the worker, the start, the end and the outcome of each run. The table is append-only, but purging a task deletes the runs of the task.';
comment on column tasklib.task_runs.worker_role is
  'The role that reported the end of the run. Null if the worker was lost or the task was cancelled.';
-- <<<

-- >>> db/schema/tasklib/tables/task_actions.sql
create table tasklib.task_actions (
  action_no  bigint              not null  generated always as identity,
  task_id    uuid,
  name       text collate "C",
  action     text                not null,
  actor      text                not null,
  acted_at   timestamptz         not null,
  detail     jsonb               not null  default '{}',

  constraint task_actions_pkey
    primary key (action_no),
  constraint task_actions_action_check
    check (action in ('cancel', 'retry', 'pause', 'resume', 'register', 'restrict', 'purge', 'schedule', 'unschedule', 'erase'))
);

create index task_actions_task_idx on tasklib.task_actions (task_id)
  where task_id is not null;

comment on table tasklib.task_actions is
  'The actions of operators: who cancelled, retried, paused, changed or purged which task or name. The table is append-only.';
comment on index tasklib.task_actions_task_idx is
  'Serves list_task_actions for one task.';
-- <<<

-- >>> db/schema/tasklib/tables/sleepers.sql
create unlogged table tasklib.sleepers (
  name       text collate "C"  not null,
  worker_id  text collate "C"  not null,
  until      timestamptz       not null,

  constraint sleepers_pkey
    primary key (name, worker_id)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

comment on table tasklib.sleepers is
  'The workers that sleep until a notification wakes them, with a row for each name of tasks that a worker waits for. By default a submission notifies only if it finds a row of its name here (docs/wakeups.md). A crash of the server empties the table, and also ends all connections.';
comment on column tasklib.sleepers.until is
  'The end of the mark. Submissions ignore the row after this time, because its worker crashed or did not renew the mark in time.';
-- <<<

-- >>> db/schema/tasklib/tables/lock_clock.sql
create unlogged table tasklib.lock_clock (
  heard_since        timestamptz  not null  default tasklib.clock(),
  backend_pid        integer      not null  default pg_backend_pid(),
  server_started_at  timestamptz  not null  default pg_postmaster_start_time(),

  constraint lock_clock_pkey
    primary key (heard_since, backend_pid)
);

comment on table tasklib.lock_clock is
  'The time since which this server has been reachable without a break. The oldest row that the running server has written has this time. A claim that finds no row of the running server writes a row. The table is unlogged, because PostgreSQL empties an unlogged table in crash recovery and at a promotion. Concurrent claims write one row each and do not wait for each other.';
comment on column tasklib.lock_clock.server_started_at is
  'The time when the server that wrote the row started. A clean restart keeps the rows of the table, but rows from before the restart do not count.';
-- <<<

-- >>> db/schema/tasklib/rows/task_submissions.sql
create or replace view tasklib.task_submissions as
select
  0::integer as position,
  '00000000-0000-0000-0000-000000000000'::uuid as id,
  false::boolean as created
where false;

comment on view tasklib.task_submissions is
  'Row type: the answer to one submission. The column "created" is false if an earlier submission with the same deduplication key created the task.';
-- <<<

-- >>> db/schema/tasklib/rows/claimed_tasks.sql
create or replace view tasklib.claimed_tasks as
select
  '00000000-0000-0000-0000-000000000000'::uuid as id,
  ''::text as name,
  0::integer as claim_no,
  0::integer as retry_count,
  0::integer as max_retries,
  null::integer as timeout_seconds,
  0::integer as priority,
  '-infinity'::timestamptz as created_at,
  '-infinity'::timestamptz as scheduled_at,
  '-infinity'::timestamptz as started_at,
  '-infinity'::timestamptz as locked_until,
  '{}'::jsonb as kwargs,
  null::jsonb as tags
where false;

comment on view tasklib.claimed_tasks is
  'Row type: a claimed task with the data that its worker needs.';
-- <<<

-- >>> db/schema/tasklib/rows/task_outcomes.sql
create or replace view tasklib.task_outcomes as
select
  0::integer as position,
  '00000000-0000-0000-0000-000000000000'::uuid as id,
  ''::text as outcome
where false;

comment on view tasklib.task_outcomes is
  'Row type: the outcome of a report about a claimed task. The outcome "stale" means that the worker had already lost the claim, and the task did not change.';
-- <<<

-- >>> db/schema/tasklib/rows/name_quotas.sql
create or replace view tasklib.name_quotas as
select
  ''::text as name,
  0::integer as quota,
  false::boolean as keyed,
  false::boolean as rated
where false;

comment on view tasklib.name_quotas is
  'Row type: how many tasks of a name may be claimed now, whether the name''s limit keys take turns, and whether its limit keys have a rate.';
-- <<<

-- >>> db/schema/tasklib/functions/private/raise_task_not_found.sql
create or replace function tasklib.raise_task_not_found(
  p_id uuid
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('task %s does not exist', p_id),
    hint    = 'It was never submitted here, or was purged.';
end;
$$;

comment on function tasklib.raise_task_not_found is
$$Raises TK404 for a task that does not exist.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/raise_name_not_found.sql
create or replace function tasklib.raise_name_not_found(
  p_name text
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_name is null then
    raise exception using
      errcode = 'TK422',
      message = 'the name of a task is null',
      hint    = 'tasklib.get_registered_tasks() shows the names that are registered.';
  end if;
  raise exception using
    errcode = 'TK404',
    message = format('no task is registered as "%s"', left(p_name, 100)),
    hint    = 'Register it with tasklib.register_task(name), in Go with Client.Sync; a worker registers its own tasks when it starts.';
end;
$$;

comment on function tasklib.raise_name_not_found is
$$Raises TK404 for a name that is not registered, TK422 if the name is null.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/submission_problem.sql
create or replace function tasklib.submission_problem(
  p_kwargs           jsonb,
  p_kwargs_bytes     integer,
  p_delay_seconds    double precision,
  p_max_retries      integer,
  p_timeout_seconds  integer,
  p_tags             jsonb,
  p_dedup_key        text,
  p_limit_key        text
)
  returns text
  language sql
  stable
begin atomic
  select case
    when p_kwargs is null or jsonb_typeof(p_kwargs) <> 'object' then 'its arguments are not a JSON object'
    when pg_column_size(p_kwargs) > p_kwargs_bytes then 'its arguments are too large'
    when tasker.is_too_deep(p_kwargs) then 'its arguments are nested deeper than 1,000 levels'
    when not p_delay_seconds between 0 and 3153600000 then 'its delay is not between 0 seconds and 100 years'
    when not p_max_retries between 0 and 10000 then 'max_retries is not between 0 and 10000'
    when not p_timeout_seconds between 1 and 31536000 then 'its timeout is not between 1 second and a year'
    when jsonb_typeof(p_tags) <> 'object' then 'its tags are not a JSON object'
    when not length(p_limit_key) between 1 and 200 then 'its limit key is empty or longer than 200 characters'
    when not length(p_dedup_key) between 1 and 1000 then 'its deduplication key is empty or longer than 1,000 characters'
  end;
end;

comment on function tasklib.submission_problem is
$$Returns the problem of a submission, or null if the submission is valid. PostgreSQL inlines this function.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/check_submissions.sql
create or replace function tasklib.check_submissions(
  p_kwargs           jsonb[],
  p_delay_seconds    double precision[],
  p_priorities       integer[],
  p_max_retries      integer[],
  p_timeout_seconds  integer[],
  p_tags             jsonb[],
  p_dedup_keys       text[],
  p_limit_keys       text[]
)
  returns void
  language plpgsql
  stable
as $$
declare
  v_count    integer := cardinality(p_kwargs);
  v_bytes    integer;
  v_position bigint;
  v_kwargs   jsonb;
  v_problem  text;
begin
  if p_kwargs is null or v_count > 100000 or array_ndims(p_kwargs) > 1 then
    raise exception using
      errcode = 'TK422',
      message = format('%s tasks cannot be submitted in one call', coalesce(v_count::text, 'null')),
      hint    = 'One call takes a one-dimensional array of at most 100,000; make several calls, in one transaction.';
  end if;

  if v_count <> any (array[
    coalesce(cardinality(p_delay_seconds), v_count), coalesce(cardinality(p_priorities), v_count),
    coalesce(cardinality(p_max_retries), v_count), coalesce(cardinality(p_timeout_seconds), v_count),
    coalesce(cardinality(p_tags), v_count), coalesce(cardinality(p_dedup_keys), v_count),
    coalesce(cardinality(p_limit_keys), v_count)
  ]) then
    raise exception using
      errcode = 'TK422',
      message = 'the arrays of a submission have different lengths',
      detail  = format('There are arguments for %s tasks.', v_count),
      hint    = 'Each array needs a value for each task (null means the default), or must be null.';
  end if;

  v_bytes := tasklib.setting('kwargs_bytes')::integer;
  select u.position, u.kwargs, tasklib.submission_problem(u.kwargs, v_bytes, u.delay, u.max_retries, u.timeout, u.tags, u.dedup_key, u.limit_key)
    into v_position, v_kwargs, v_problem
    from unnest(p_kwargs, p_delay_seconds, p_max_retries, p_timeout_seconds, p_tags, p_dedup_keys, p_limit_keys)
         with ordinality as u (kwargs, delay, max_retries, timeout, tags, dedup_key, limit_key, position)
   where tasklib.submission_problem(u.kwargs, v_bytes, u.delay, u.max_retries, u.timeout, u.tags, u.dedup_key, u.limit_key) is not null
   limit 1;

  if not found then
    return;
  end if;
  if v_problem = 'its arguments are too large' then
    raise exception using
      errcode = 'TK413',
      message = format('task %s of the submission is refused: %s', v_position, v_problem),
      detail  = format('They have %s bytes; the limit is %s.', pg_column_size(v_kwargs), v_bytes),
      hint    = 'Store the data elsewhere and pass a reference, or raise the setting kwargs_bytes.';
  end if;
  raise exception using
    errcode = 'TK422',
    message = format('task %s of the submission is refused: %s', v_position, v_problem),
    detail  = format('Its arguments: %s', coalesce(left(v_kwargs::text, 200), 'null')),
    hint    = 'No task was submitted. Correct it and submit again.';
end;
$$;

comment on function tasklib.check_submissions is
$$Raises TK422 or TK413 if a submission is not valid. The message has the place of the first invalid submission in the arrays.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/notify_ready.sql
create or replace function tasklib.notify_ready(p_name text)
  returns void
  language plpgsql
as $$
declare
  v_xid    xid8;
  v_notify boolean;
begin
  -- First take a transaction number, then query tasklib.sleepers in a later snapshot. A worker that falls asleep after this
  -- snapshot gets the number from open_writers, and waits until this transaction has ended.
  v_xid := pg_current_xact_id();
  v_notify := case (select s.value from tasklib.settings as s where s.name = 'notify')
    when 'always' then true
    when 'asleep' then
      current_setting('transaction_isolation') <> 'read committed'
      or exists (
        select
          from tasklib.sleepers as z
         where z.name = p_name
           and z.until > tasklib.clock()
      )
    else false
  end;
  if v_notify then
    perform pg_notify('tasklib_ready', p_name);
  end if;
end;
$$;

comment on function tasklib.notify_ready is
$$Notifies the workers of a name that a task may be ready. The setting "notify" decides whether this happens always, only if a worker of the name sleeps, or never. Call this function in a separate statement after the statements that write tasks.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/begin_keys.sql
create or replace function tasklib.begin_keys(p_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasklib.registered_tasks as r
     set keyed = true
   where r.name = p_name
     and not r.keyed;
  insert into tasklib.task_limits (name, tokens, refilled_at)
  select r.name, coalesce(r.rate_limit, 0), tasklib.clock()
    from tasklib.registered_tasks as r
   where r.name = p_name
  on conflict do nothing;
end;
$$;

comment on function tasklib.begin_keys is
$$Records that tasks of a name have limit keys: sets the column keyed, and creates the name's row in tasklib.task_limits. Locks the name's row. Waits for another transaction that does the same.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/id_time.sql
create or replace function tasklib.id_time(
  p_micros bigint
)
  returns bytea
  language sql
  immutable
begin atomic
  select int8send(((p_micros / 1000) << 16) | x'7000'::bigint | ((p_micros % 1000) * 4096 / 1000));
end;

comment on function tasklib.id_time is
$$Returns the first half of the ids that a call creates: 48 bits with the milliseconds since 1970, four bits with the version 7, and twelve bits with the microseconds. PostgreSQL inlines this function.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/task_id.sql
create or replace function tasklib.task_id(
  p_time      bytea,
  p_position  bigint
)
  returns uuid
  language sql
  volatile
begin atomic
  -- The second half of the id: two bits with the variant, then the position in the call, then 42 random bits.
  select encode(p_time || int8send((-9223372036854775808) | (p_position << 42) | (random() * 4398046511103)::bigint), 'hex')::uuid;
end;

comment on function tasklib.task_id is
$$Returns the id of a new task: a UUID of version 7 that begins with the bytes of id_time. The order of ids is the order of submission, even within one call. PostgreSQL inlines this function.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/submit_deduplicated.sql
create or replace function tasklib.submit_deduplicated(
  p_name             text,
  p_kwargs           jsonb[],
  p_delay_seconds    double precision[],
  p_priorities       integer[],
  p_max_retries      integer[],
  p_timeout_seconds  integer[],
  p_tags             jsonb[],
  p_dedup_keys       text[],
  p_dedup_kept       boolean,
  p_limit_keys       text[],
  p_now              timestamptz,
  p_time             bytea,
  p_retries          integer,
  p_timeout          integer,
  p_caller           text
)
  returns setof tasklib.task_submissions
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
  v_ids      uuid[] := array_fill(null::uuid, array[cardinality(p_kwargs)]);
  v_created  boolean[] := array_fill(false, array[cardinality(p_kwargs)]);
  v_left     integer[];
  v_try      integer := 0;
  v_row      record;
begin
  loop
    select array_agg(u.position::integer)
      into v_left
      from unnest(v_ids) with ordinality as u (id, position)
     where u.id is null;
    exit when v_left is null;

    v_try := v_try + 1;
    if v_try > 10 then
      raise exception using
        errcode = 'TK409',
        message = format('tasks of "%s" with the same key kept appearing and ending', p_name),
        hint    = 'Submit it again.';
    end if;

    -- Insert in the order of the deduplication keys, so that two calls cannot deadlock. If two keys of this call are equal,
    -- the first of them creates a task, and the next statement finds this task for the second.
    for v_row in
      with candidates as (
        select u.*,
               tasklib.task_id(p_time, u.position) as id
          from unnest(p_kwargs, p_delay_seconds, p_priorities, p_max_retries, p_timeout_seconds, p_tags, p_dedup_keys, p_limit_keys)
               with ordinality as u (kwargs, delay, priority, max_retries, timeout, tags, dedup_key, limit_key, position)
         where v_ids[u.position] is null
         order by u.dedup_key, u.position
      ),
      inserted as (
        insert into tasklib.tasks
          (id, created_at, scheduled_at, ready, priority, max_retries, timeout_seconds, name, submitted_by, kwargs, tags,
           dedup_key, dedup_kept, limit_key)
        select
          c.id,
          p_now,
          case when c.delay > 0 then p_now + make_interval(secs => c.delay) else p_now end,
          coalesce(c.delay, 0) = 0,
          coalesce(c.priority, 0),
          coalesce(c.max_retries, p_retries),
          coalesce(c.timeout, p_timeout),
          p_name,
          p_caller,
          c.kwargs,
          c.tags,
          c.dedup_key,
          p_dedup_kept and c.dedup_key is not null,
          c.limit_key
        from candidates as c
        on conflict (name, dedup_key) where dedup_key is not null and (dedup_kept or state in ('pending', 'running'))
          do nothing
        returning tasks.id
      )
      select c.position, c.id
        from candidates as c
        join inserted as i
          on i.id = c.id
    loop
      v_ids[v_row.position] := v_row.id;
      v_created[v_row.position] := true;
    end loop;

    -- A key whose task was not inserted has a task of an earlier call. A second statement is needed to see that task. If the
    -- task has ended meanwhile, the loop tries the key again.
    for v_row in
      select l.position, t.id
        from unnest(v_left) as l (position)
       cross join lateral (
         select d.id
           from tasklib.tasks as d
          where d.name = p_name
            and d.dedup_key = p_dedup_keys[l.position]
            and d.dedup_key is not null
            and (d.dedup_kept or d.state in ('pending', 'running'))
         offset 0
       ) as t
       where v_ids[l.position] is null
    loop
      v_ids[v_row.position] := v_row.id;
    end loop;
  end loop;

  return query
  select u.position::integer, u.id, u.created
    from unnest(v_ids, v_created) with ordinality as u (id, created, position)
   order by u.position;
end;
$$;

comment on function tasklib.submit_deduplicated is
$$Creates a task for each deduplication key that has no task yet, and returns the existing tasks of all other keys. Inserts with "on conflict do nothing", then reads the existing tasks in a second statement.$$;
-- <<<

-- >>> db/schema/tasklib/functions/submit_tasks.sql
create or replace function tasklib.submit_tasks(
  p_name             text,
  p_kwargs           jsonb[],
  p_delay_seconds    double precision[]  default null,
  p_priorities       integer[]           default null,
  p_max_retries      integer[]           default null,
  p_timeout_seconds  integer[]           default null,
  p_tags             jsonb[]             default null,
  p_dedup_keys       text[]              default null,
  p_dedup_kept       boolean             default false,
  p_limit_keys       text[]              default null
)
  returns setof tasklib.task_submissions
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
  v_now        timestamptz := tasklib.clock();
  v_registered tasklib.registered_tasks;
  v_retries    integer;
  v_timeout    integer;
  v_caller     text := tasklib.caller_name();
  v_micros     bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
  v_time       bytea := tasklib.id_time(v_micros);
begin
  select r.*
    into v_registered
    from tasklib.registered_tasks as r
   where r.name = p_name;
  if not found then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  perform tasklib.check_submissions(
    p_kwargs, p_delay_seconds, p_priorities, p_max_retries, p_timeout_seconds, p_tags, p_dedup_keys, p_limit_keys
  );

  select (select s.value from tasklib.settings as s where s.name = 'max_retries'),
         nullif((select s.value from tasklib.settings as s where s.name = 'default_task_timeout_seconds'), '0')
    into v_retries, v_timeout;
  v_retries := coalesce(v_registered.max_retries, v_retries);
  v_timeout := coalesce(v_registered.timeout_seconds, v_timeout);

  -- Record that the name has limit keys. A claim of the name must know whether to read them.
  if p_limit_keys is not null and not v_registered.keyed and array_remove(p_limit_keys, null) <> '{}' then
    perform tasklib.begin_keys(p_name);
  end if;

  if p_dedup_keys is not null then
    return query
    select d.*
      from tasklib.submit_deduplicated(
        p_name, p_kwargs, p_delay_seconds, p_priorities, p_max_retries, p_timeout_seconds, p_tags, p_dedup_keys,
        coalesce(p_dedup_kept, false), p_limit_keys, v_now, v_time, v_retries, v_timeout, v_caller
      ) as d;
    perform tasklib.notify_ready(p_name);
    return;
  end if;

  return query
  with submitted as (
    insert into tasklib.tasks
      (id, created_at, scheduled_at, ready, priority, max_retries, timeout_seconds, name, submitted_by, kwargs, tags, limit_key)
    select
      tasklib.task_id(v_time, u.position),
      v_now,
      case when u.delay > 0 then v_now + make_interval(secs => u.delay) else v_now end,
      coalesce(u.delay, 0) = 0,
      coalesce(u.priority, 0),
      coalesce(u.max_retries, v_retries),
      coalesce(u.timeout, v_timeout),
      p_name,
      v_caller,
      u.kwargs,
      u.tags,
      u.limit_key
    from unnest(p_kwargs, p_delay_seconds, p_priorities, p_max_retries, p_timeout_seconds, p_tags, p_limit_keys)
         with ordinality as u (kwargs, delay, priority, max_retries, timeout, tags, limit_key, position)
    returning id
  )
  select (row_number() over (order by s.id))::integer, s.id, true
    from submitted as s
   order by s.id;
  perform tasklib.notify_ready(p_name);
end;
$$;

comment on function tasklib.submit_tasks is
$$Submits tasks of one name, one task for each JSON object in p_kwargs. Returns a row for each task, in the order of the array: the task's id, and whether this call created the task. The other arrays have a value for each task, or are null. A null value means the default: no delay, priority 0 (a higher priority is claimed first), the options of the name or the settings.

If a pending or running task of the name has the same deduplication key, returns that task instead of creating a task (created = false). If p_dedup_kept is true, the key stays taken after the task has ended, until the task is purged. The limit keys of a name take turns, and at most key_concurrency_limit tasks of a limit key run at the same time. The submission commits or rolls back with the caller's transaction. Locks the name's row only if the name gets its first limit key. Waits for another transaction that is submitting the same deduplication key. Raises TK404 if the name is not registered, TK413 if the arguments of a task are too large, TK422 for an invalid value.$$;

grant execute on function tasklib.submit_tasks
  to tasklib_submitter, tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/submit_task.sql
create or replace function tasklib.submit_task(
  p_name             text,
  p_kwargs           jsonb             default '{}',
  p_delay_seconds    double precision  default 0,
  p_priority         integer           default 0,
  p_max_retries      integer           default null,
  p_timeout_seconds  integer           default null,
  p_tags             jsonb             default null,
  p_dedup_key        text              default null,
  p_dedup_kept       boolean           default false,
  p_limit_key        text              default null
)
  returns setof tasklib.task_submissions
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
  v_now     timestamptz := tasklib.clock();
  v_micros  bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
  v_keyed   boolean;
  v_bytes   integer;
  v_retries integer;
  v_timeout integer;
  v_made    tasklib.task_submissions;
begin
  p_kwargs := coalesce(p_kwargs, '{}');
  -- Another task may have this deduplication key, so use submit_tasks, which finds that task.
  if p_dedup_key is not null then
    return query
    select s.*
      from tasklib.submit_tasks(
        p_name, array[p_kwargs], array[p_delay_seconds], array[p_priority], array[p_max_retries], array[p_timeout_seconds],
        array[p_tags], array[p_dedup_key], p_dedup_kept, case when p_limit_key is not null then array[p_limit_key] end
      ) as s;
    return;
  end if;

  select r.keyed,
         (select s.value::integer from tasklib.settings as s where s.name = 'kwargs_bytes'),
         coalesce(p_max_retries, r.max_retries, (select s.value::integer from tasklib.settings as s where s.name = 'max_retries')),
         coalesce(
           p_timeout_seconds, r.timeout_seconds,
           (select nullif(s.value::integer, 0) from tasklib.settings as s where s.name = 'default_task_timeout_seconds')
         )
    into v_keyed, v_bytes, v_retries, v_timeout
    from tasklib.registered_tasks as r
   where r.name = p_name;
  if not found then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  if tasklib.submission_problem(
       p_kwargs, v_bytes, p_delay_seconds, p_max_retries, p_timeout_seconds, p_tags, null, p_limit_key
     ) is not null then
    perform tasklib.check_submissions(
      array[p_kwargs], array[p_delay_seconds], null, array[p_max_retries], array[p_timeout_seconds], array[p_tags], null, array[p_limit_key]
    );
  end if;
  if p_limit_key is not null and not v_keyed then
    perform tasklib.begin_keys(p_name);
  end if;

  insert into tasklib.tasks
    (id, created_at, scheduled_at, ready, priority, max_retries, timeout_seconds, name, submitted_by, kwargs, tags, limit_key)
  values (
    tasklib.task_id(tasklib.id_time(v_micros), 1),
    v_now,
    case when p_delay_seconds > 0 then v_now + make_interval(secs => p_delay_seconds) else v_now end,
    coalesce(p_delay_seconds, 0) = 0,
    coalesce(p_priority, 0),
    v_retries,
    v_timeout,
    p_name,
    tasklib.caller_name(),
    p_kwargs,
    p_tags,
    p_limit_key
  )
  returning 1, id, true into v_made;
  perform tasklib.notify_ready(p_name);
  return next v_made;
end;
$$;

comment on function tasklib.submit_task is
$$Submits one task, and returns the task's id and whether this call created the task. Has the same arguments, locks and errors as submit_tasks.$$;

grant execute on function tasklib.submit_task
  to tasklib_submitter, tasklib_operator;
-- <<<

-- >>> db/schema/tasklib/functions/private/check_may_run.sql
create or replace function tasklib.check_may_run(
  p_names text[]
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_caller   text := tasklib.caller_name();
  v_required boolean := tasklib.setting('grants_required')::boolean;
  v_name     text;
  v_absent   boolean;
begin
  -- Look the roles up by name instead of casting the names, because the cast would fail for a dropped role. A dropped role
  -- matches no caller.
  select u.name, r.name is null
    into v_name, v_absent
    from unnest(p_names) as u (name)
    left join tasklib.registered_tasks as r
      on r.name = u.name
   where r.name is null
      or (v_required or r.allowed_roles <> '{}')
     and not exists (
       select
         from unnest(r.allowed_roles) as a (role)
        where coalesce(pg_has_role(v_caller, to_regrole(quote_ident(a.role)), 'member'), false)
     )
   order by u.name
   limit 1;

  if not found then
    return;
  end if;
  if v_absent then
    perform tasklib.raise_name_not_found(v_name);
  end if;
  raise exception using
    errcode = 'TK403',
    message = format('%s may not run tasks of "%s"', v_caller, v_name),
    hint    = 'An operator can allow it with tasklib.restrict_task(name, roles).';
end;
$$;

comment on function tasklib.check_may_run is
$$Raises TK403 if the caller may not run tasks of one of these names, TK404 if one of the names is not registered.$$;
-- <<<

-- >>> db/schema/tasklib/functions/mark_sleeping.sql
create or replace function tasklib.mark_sleeping(
  p_worker_id  text,
  p_names      text[],
  p_seconds    integer  default 30
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
  v_now timestamptz := tasklib.clock();
begin
  p_seconds := coalesce(p_seconds, 30);
  if cardinality(p_names) between 1 and 10000 is not true
     or length(p_worker_id) between 1 and 200 is not true
     or p_seconds between 1 and 300 is not true then
    raise exception using
      errcode = 'TK422',
      message = 'a worker cannot be marked as sleeping with these arguments',
      detail  = format('worker %s, names %s, %s seconds', left(p_worker_id, 200), left(p_names::text, 200), p_seconds),
      hint    = 'Pass at least one name, a worker of 1 to 200 characters, and 1 to 300 seconds.';
  end if;
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception using
      errcode = 'TK409',
      message = format('this function does not run in a transaction of isolation level %s', current_setting('transaction_isolation')),
      hint    = 'Call it in READ COMMITTED, in its own transaction.';
  end if;
  perform tasklib.check_may_run(p_names);

  -- A mark that ended more than a minute ago belongs to a worker that crashed.
  delete from tasklib.sleepers as s
   where s.ctid = any (array(
     select d.ctid
       from tasklib.sleepers as d
      where d.until < v_now - interval '1 minute'
      limit 1000
        for update skip locked
   ));

  insert into tasklib.sleepers as s (name, worker_id, until)
  select distinct u.name, p_worker_id, v_now + make_interval(secs => p_seconds)
    from unnest(p_names) as u (name)
  on conflict (name, worker_id) do update set until = excluded.until;

  return tasklib.setting('notify') <> 'off';
end;
$$;

comment on function tasklib.mark_sleeping is
$$Marks a worker as sleeping, for p_seconds, until a notification about tasks of these names wakes it. The worker must already listen on the channel tasklib_ready. Returns false if notifications are off, so that the worker has to poll.

After this call, commit, call open_writers, claim once more, and only then sleep (docs/wakeups.md explains why). Call this function again well before the mark ends. Idempotent. Locks the worker's own rows. Raises TK403 for a name that the caller may not run, TK404 for a name that is not registered, TK409 above READ COMMITTED, TK422 for a value out of bounds.$$;

grant execute on function tasklib.mark_sleeping to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/mark_awake.sql
create or replace function tasklib.mark_awake(p_worker_id text, p_names text[])
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
begin
  delete from tasklib.sleepers as s
   where s.name = any (p_names)
     and s.worker_id = p_worker_id;
  return found;
end;
$$;

comment on function tasklib.mark_awake is
$$Deletes the marks of mark_sleeping for these names, so that submissions no longer send notifications for this worker. Returns true if there was a mark. A worker calls this function when it expects to be busy for a while. The mark of a worker that crashed expires.

Idempotent. Locks the worker's own rows.$$;

grant execute on function tasklib.mark_awake to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/open_writers.sql
create or replace function tasklib.open_writers(p_writers bigint[] default null)
  returns bigint[]
  language sql
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select tasker.open_writers(p_writers);
end;

comment on function tasklib.open_writers is
$$Returns the numbers of the transactions that are running when the caller falls asleep. These transactions may have read tasklib.sleepers before the caller's mark was committed, so they may submit tasks without a notification. If p_writers is the result of an earlier call, returns the transactions of p_writers that are still running. A client claims again when one of these transactions has ended.

Assigns a transaction number to its own transaction. Call this function in its own transaction, after the transaction of mark_sleeping. Locks nothing. Raises TK409 above READ COMMITTED.$$;

grant execute on function tasklib.open_writers
  to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/private/expiry.sql
create or replace function tasklib.expiry(
  p_name   text,
  p_state  text,
  p_now    timestamptz
)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_seconds bigint;
begin
  select case when p_state = 'failed' then r.failed_ttl_seconds else r.completed_ttl_seconds end
    into v_seconds
    from tasklib.registered_tasks as r
   where r.name = p_name;
  v_seconds := coalesce(
    v_seconds,
    tasklib.setting(case when p_state = 'failed' then 'failed_ttl_seconds' else 'completed_ttl_seconds' end)::bigint
  );
  -- The value 0 means that the task never expires.
  return case when v_seconds > 0 then p_now + make_interval(secs => v_seconds) end;
end;
$$;

comment on function tasklib.expiry is
$$Returns the time when a task of this name expires if it ends now in this state. Returns null if it never expires.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/promote_due.sql
create or replace function tasklib.promote_due(
  p_names  text[],
  p_now    timestamptz,
  p_limit  integer
)
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
  v_count integer;
begin
  with due as (
    select w.id
      from unnest(p_names) as u (name)
     cross join lateral (
       select t.id
         from tasklib.tasks as t
        where t.name = u.name
          and t.state = 'pending'
          and not t.ready
          and t.scheduled_at <= p_now
        order by t.scheduled_at
        limit p_limit
          for update skip locked
     ) as w
  )
  update tasklib.tasks as t
     set ready = true
    from due as d
   where t.id = d.id;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

comment on function tasklib.promote_due is
$$Marks pending tasks of these names as ready if their time has come, at most p_limit tasks of each name, and returns how many. Skips tasks that other transactions hold.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/locks_heard_since.sql
create or replace function tasklib.locks_heard_since()
  returns timestamptz
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_since timestamptz;
begin
  -- A standby cannot read an unlogged table. It ends no locks, so the current time is a safe answer.
  if pg_is_in_recovery() then
    return tasklib.clock();
  end if;
  select min(c.heard_since)
    into v_since
    from tasklib.lock_clock as c
   where c.server_started_at >= pg_postmaster_start_time();
  if v_since is null then
    -- Concurrent calls may write two rows. No lock prevents this, because a session that held the lock could keep the locks
    -- of all tasks from ending.
    insert into tasklib.lock_clock default values on conflict do nothing;
    v_since := tasklib.clock();
  end if;
  return v_since;
end;
$$;

comment on function tasklib.locks_heard_since is
$$Returns the time since which workers could extend their locks without a break. If the running server has no record of this time in tasklib.lock_clock, records the current time. A restart, crash recovery or a promotion begins a new record.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/expire_locks.sql
create or replace function tasklib.expire_locks(
  p_names  text[],
  p_now    timestamptz,
  p_limit  integer
)
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
  v_heard timestamptz := tasklib.locks_heard_since();
  v_count integer;
begin
  with dead as (
    select
      w.*, tasklib.expiry(w.name, 'failed', p_now) as failed_expires_at,
      count(*) over (partition by w.worker_id) - 1 as others,
      row_number() over (partition by w.worker_id order by w.started_at, w.id) as place
      from unnest(p_names) as u (name)
     cross join lateral (
       select t.id, t.name, t.worker_id, t.started_at, t.locked_until, t.retry_count,
                t.retry_count < t.max_retries as retries
         from tasklib.tasks as t
        where t.name = u.name
          and t.locked_until is not null
          and t.locked_until <= p_now
          and v_heard + make_interval(secs => coalesce(t.lock_seconds, 0)) <= p_now
        order by t.locked_until
        limit p_limit
          for update skip locked
     ) as w
  ),
  recovered as (
    update tasklib.tasks as t
       set state         = case when d.retries then 'pending' else 'failed' end::tasklib.task_state,
           ready         = d.retries and (d.retry_count = 0 or d.place = 1),
           retry_count   = t.retry_count + case when d.retries then 1 else 0 end,
           next_retry_at = null,
           -- If a worker lost several tasks, and not for the first time, one of these tasks may be the cause. So start these
           -- tasks ten seconds apart: then the next loss shows which task is the cause.
           scheduled_at  = case
             when not d.retries then t.scheduled_at
             when d.retry_count = 0 then p_now
             else p_now + least(10 * (d.place - 1), 600) * interval '1 second'
           end,
           completed_at  = case when d.retries then null else p_now end,
           expires_at    = case when d.retries then null else d.failed_expires_at end,
           locked_until  = null,
           worker_id     = null,
           error         = format('worker %s was lost: its lock ended at %s', d.worker_id, d.locked_until)
             || case when d.others > 0 then format(', with those of %s more tasks', d.others) else '' end
      from dead as d
     where t.id = d.id
    returning t.id, t.claim_no, t.name, d.worker_id, d.started_at, t.error
  ),
  recorded as (
    insert into tasklib.task_runs (task_id, claim_no, name, worker_id, started_at, ended_at, outcome, error)
    select r.id, r.claim_no, r.name, r.worker_id, r.started_at, p_now, 'lost', r.error
      from recovered as r
     where tasklib.setting('audit_runs')::boolean
  )
  select count(*)
    into v_count
    from recovered;
  return v_count;
end;
$$;

comment on function tasklib.expire_locks is
$$Takes tasks of these names from lost workers, at most p_limit of each name, and returns how many. A worker is lost if its lock has ended, and if the server has been reachable for the whole time of a lock (tasklib.locks_heard_since). A task becomes pending and runs again from the beginning, or failed if its retries are used up. If a worker lost several tasks that had been retried before, these tasks run again ten seconds apart, so that a task that crashes its worker soon runs alone. Skips tasks that other transactions hold.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/name_quotas.sql
create or replace function tasklib.name_quotas(
  p_names  text[],
  p_limit  integer,
  p_now    timestamptz
)
  returns setof tasklib.name_quotas
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
  v_locked text[];
begin
  -- Every claim of a limited name holds the name's row until it commits. So after this lock, the next statement sees the
  -- changes of all earlier claims.
  select array_agg(l.name)
    into v_locked
    from (
      select k.name
        from tasklib.task_limits as k
        join unnest(p_names) as u (name)
          on u.name = k.name
       order by k.name
         for update of k
    ) as l;

  return query
  select r.name,
         least(
           p_limit,
           r.concurrency_limit - c.running,
           floor(least(r.rate_limit, l.tokens + extract(epoch from p_now - l.refilled_at) * r.rate_limit / r.rate_period_seconds)),
           case
             when l.opened_until is null then p_limit
             when l.opened_until > p_now or c.running > 0 then 0
             else 1
           end
         )::integer,
         -- If the name's row was inserted after this call locked the rows, the limit keys take turns from the next claim on.
         r.keyed and r.name = any (v_locked),
         r.key_rate_limit is not null
    from unnest(p_names) as u (name)
    join tasklib.registered_tasks as r
      on r.name = u.name
     and r.paused_at is null
    left join tasklib.task_limits as l
      on l.name = r.name
     and r.limited
   cross join lateral (
     select case when r.concurrency_limit is not null or l.opened_until is not null then (
       select count(*)::integer
         from tasklib.tasks as t
        where t.name = r.name
          and t.locked_until is not null
     ) else 0 end as running
     offset 0
   ) as c;
end;
$$;

comment on function tasklib.name_quotas is
$$Returns a row for each of these names that is not paused: how many of its tasks its limits and its circuit breaker allow to claim now, whether its limit keys take turns, and whether its limit keys have a rate. Locks the rows of limited names in tasklib.task_limits, in the order of the names.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/charge_limits.sql
create or replace function tasklib.charge_limits(
  p_names   text[],
  p_counts  integer[],
  p_now     timestamptz
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  update tasklib.task_limits as l
     set tokens      = greatest(0, least(r.rate_limit, l.tokens + extract(epoch from p_now - l.refilled_at) * r.rate_limit
                                                                / r.rate_period_seconds) - u.count),
         refilled_at = p_now
    from unnest(p_names, p_counts) as u (name, count)
    join tasklib.registered_tasks as r
      on r.name = u.name
   where l.name = u.name
     and r.rate_limit is not null
     and u.count > 0;
end;
$$;

comment on function tasklib.charge_limits is
$$Subtracts p_counts claims from the remaining rates of these names. The caller holds the locks of the names' rows in tasklib.task_limits.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/charge_keys.sql
create or replace function tasklib.charge_keys(p_ids uuid[], p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into tasklib.key_rates as k (name, limit_key, paid_until)
  select c.name, c.limit_key, p_now + make_interval(secs => c.count * r.key_rate_period_seconds / r.key_rate_limit)
    from (
      select t.name, t.limit_key, count(*) as count
        from tasklib.tasks as t
       where t.id = any (p_ids)
         and t.limit_key is not null
       group by t.name, t.limit_key
    ) as c
    join tasklib.registered_tasks as r
      on r.name = c.name
     and r.key_rate_limit is not null
   order by c.name, c.limit_key
  on conflict (name, limit_key) do update
    set paid_until = excluded.paid_until + greatest(k.paid_until - p_now, interval '0');
end;
$$;

comment on function tasklib.charge_keys is
$$Subtracts claims of these tasks from the rates of their limit keys. The caller holds the locks of the names' rows in tasklib.task_limits.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/key_places.sql
create or replace function tasklib.key_places(
  p_task   tasklib.registered_tasks,
  p_key    text,
  p_limit  integer,
  p_now    timestamptz
)
  returns integer
  language plpgsql
  stable
as $$
declare
  v_free  integer := p_limit;
  v_rated integer;
begin
  if p_task.key_concurrency_limit is not null then
    v_free := least(v_free, p_task.key_concurrency_limit - (
      select count(*)
        from (
          select
            from tasklib.tasks as t
           where t.name = p_task.name
             and t.limit_key = p_key
             and t.limit_key is not null
             and t.locked_until is not null
           limit p_task.key_concurrency_limit
        ) as t
    ));
  end if;
  if p_task.key_rate_limit is null or v_free <= 0 then
    return greatest(v_free, 0);
  end if;

  v_rated := (
    select floor(
        p_task.key_rate_limit * (1 - least(1, extract(epoch from k.paid_until - p_now) / p_task.key_rate_period_seconds)) + 0.000001
      )
      from (
        -- The subquery finds the row by its primary key. Without "offset 0", a plan from a time when the table was small
        -- could read the rows of all keys by paid_until.
        select k.paid_until
          from tasklib.key_rates as k
         where k.name = p_task.name
           and k.limit_key = p_key
        offset 0
      ) as k
     where k.paid_until > p_now
  );
  return case when v_rated <= 0 then -1 else least(v_free, v_rated, p_task.key_rate_limit) end;
end;
$$;

comment on function tasklib.key_places is
$$Returns how many tasks of a limit key may be claimed now, at most p_limit. Returns 0 if key_concurrency_limit tasks of the limit key are running, -1 if only the rate of the limit key is used up.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/lock_turns.sql
create or replace function tasklib.lock_turns(p_name text, p_keys text[], p_free integer[], p_limit integer)
  returns uuid[]
  language plpgsql
as $$
declare
  -- Read at most four times the equal share of each key, because other keys may have fewer tasks than their share. So the
  -- number of rows read is in proportion to p_limit.
  v_each integer := 4 * p_limit / cardinality(p_keys) + 1;
  v_ids  uuid[];
begin
  v_ids := array(
    select w.id
      from unnest(p_keys, p_free) with ordinality as u (key, free, position)
     cross join lateral (
       select t.id, row_number() over () as round
         from (
           (select t.id, t.priority
              from tasklib.tasks as t
             where t.name = p_name and t.ready and t.limit_key is not null and t.limit_key = u.key
             order by t.priority desc, t.id
             limit least(u.free, v_each))
           union all
           (select t.id, t.priority
              from tasklib.tasks as t
             where t.name = p_name and t.ready and t.limit_key is null and u.key = ''
             order by t.priority desc, t.id
             limit least(u.free, v_each))
         ) as t
     ) as w
     order by w.round, u.position
     limit p_limit
  );
  return array(
    select t.id
      from tasklib.tasks as t
     where t.id = any (v_ids)
       and t.ready
       for update skip locked
  );
end;
$$;

comment on function tasklib.lock_turns is
$$Locks at most p_limit ready tasks of these limit keys and returns their ids. The empty key stands for tasks without a limit key. The keys take turns: takes one task of each key, then a second task of each key, and so on. Within a key, takes tasks by priority, then by age, and no more tasks than p_free allows. Skips tasks that other transactions hold.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/take_turns.sql
create or replace function tasklib.take_turns(
  p_name   text,
  p_limit  integer,
  p_now    timestamptz
)
  returns uuid[]
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
  v_task    tasklib.registered_tasks;
  v_last    text;
  v_key     text;
  v_keys    text[] := '{}';
  v_free    integer[] := '{}';
  v_places  integer;
  v_closed  integer := 0;
  v_wrapped boolean := false;
begin
  select l.last_key
    into strict v_last
    from tasklib.task_limits as l
   where l.name = p_name;
  select r.* into strict v_task from tasklib.registered_tasks as r where r.name = p_name;

  -- If the clock was put back or the period was made shorter, paid_until can be more than a period ahead. Limit it to one
  -- period, which means that the whole rate is used.
  if v_task.key_rate_limit is not null then
    update tasklib.key_rates as k
       set paid_until = p_now + make_interval(secs => v_task.key_rate_period_seconds)
     where k.name = p_name
       and k.paid_until > p_now + make_interval(secs => v_task.key_rate_period_seconds);
  end if;

  -- Visit the limit keys that have ready tasks, starting after the key that had the last turn. After the last key come the
  -- tasks without a limit key, then the first key. A key is closed if its places are taken or its rate is used up. After 500
  -- closed keys the loop ends. If it has found no open key, the next claim continues after the last closed key.
  v_key := v_last;
  while cardinality(v_keys) < p_limit loop
    v_key := (
      select t.limit_key
        from tasklib.tasks as t
       where t.name = p_name
         and t.ready
         and t.limit_key is not null
         and t.limit_key > v_key
       order by t.limit_key
       limit 1
    );
    exit when v_wrapped and (v_key <= v_last) is not true;
    if v_key is null then
      v_wrapped := true;
      v_key := '';
      continue when not exists (
        select from tasklib.tasks as t where t.name = p_name and t.ready and t.limit_key is null
      );
      v_places := p_limit;
    else
      v_places := tasklib.key_places(v_task, v_key, p_limit, p_now);
      if v_places <= 0 then
        v_closed := v_closed + 1;
        exit when v_closed = 500;
        continue;
      end if;
    end if;
    v_keys := v_keys || v_key;
    v_free := v_free || v_places;
  end loop;
  if v_keys = '{}' then
    update tasklib.task_limits as l
       set last_key = v_key
     where l.name = p_name
       and v_closed = 500;
    return '{}';
  end if;

  update tasklib.task_limits as l
     set last_key = v_keys[cardinality(v_keys)]
   where l.name = p_name
     and l.last_key <> v_keys[cardinality(v_keys)];
  return tasklib.lock_turns(p_name, v_keys, v_free, p_limit);
end;
$$;

comment on function tasklib.take_turns is
$$Locks at most p_limit ready tasks of a name whose limit keys take turns, and returns their ids. Takes one task of each limit key, then a second task of each limit key, and so on. Within a limit key, takes tasks by priority, then by age, and no more tasks than the limits of the key allow. Skips tasks that other transactions hold. The caller has locked the name's row in tasklib.task_limits in an earlier statement.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/key_opens_in.sql
create or replace function tasklib.key_opens_in(p_name text, p_now timestamptz)
  returns double precision
  language plpgsql
  stable
as $$
declare
  v_task tasklib.registered_tasks;
  v_key  text             := '';
  v_free integer;
  v_in   double precision := 'infinity';
begin
  select r.* into strict v_task from tasklib.registered_tasks as r where r.name = p_name;
  for v_keys in 1 .. 500 loop
    v_key := (
      select t.limit_key
        from tasklib.tasks as t
       where t.name = p_name
         and t.ready
         and t.limit_key is not null
         and t.limit_key > v_key
       order by t.limit_key
       limit 1
    );
    if v_key is null then
      return v_in;
    end if;
    v_free := tasklib.key_places(v_task, v_key, 1, p_now);
    if v_free > 0 then
      return 0;
    elsif v_free < 0 then
      -- The limit key has free places, but its rate is used up. Its next task may be claimed when the rate allows one claim.
      v_in := least(v_in, (
        select extract(epoch from k.paid_until - p_now) - v_task.key_rate_period_seconds * (v_task.key_rate_limit - 1) / v_task.key_rate_limit
          from tasklib.key_rates as k
         where k.name = p_name
           and k.limit_key = v_key
      ));
    end if;
  end loop;
  -- More limit keys are closed than one claim checks. The next claim checks others, so a worker should claim again soon.
  return least(v_in, 0.05);
end;
$$;

comment on function tasklib.key_opens_in is
$$Returns the seconds until a ready task with a limit key may be claimed. Returns 0 if a claim is possible now, infinity if a running task must end first. Checks at most 500 limit keys, and reads a few index entries for each. If all 500 are closed, returns at most 0.05 seconds.$$;
-- <<<

-- >>> db/schema/tasklib/functions/claim_tasks.sql
create or replace function tasklib.claim_tasks(
  p_names         text[],
  p_worker_id     text,
  p_limit         integer  default 1,
  p_lock_seconds  integer  default null
)
  returns setof tasklib.claimed_tasks
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
  v_now    timestamptz := tasklib.clock();
  v_names  text[];
  v_quotas integer[];
  v_counts integer[] := '{}';
  v_ids    uuid[] := '{}';
  v_found  uuid[];
  v_keyed  tasklib.name_quotas[];
  v_quota  tasklib.name_quotas;
  v_rated  boolean;
  v_turns  uuid[] := '{}';
  v_lock   integer;
begin
  p_limit := coalesce(p_limit, 1);
  if cardinality(p_names) > 0 is not true or p_worker_id is null or not length(p_worker_id) between 1 and 200
     or p_limit between 1 and 10000 is not true or not p_lock_seconds between 1 and 604800 then
    raise exception using
      errcode = 'TK422',
      message = 'tasks cannot be claimed with these arguments',
      detail  = format('names %s, worker %s, limit %s, lock of %s seconds', left(p_names::text, 200), left(p_worker_id, 100), p_limit, p_lock_seconds),
      hint    = 'Pass at least one name, a worker of 1 to 200 characters, a limit of 1 to 10,000, and a lock of 1 second to a week.';
  end if;
  perform tasklib.check_may_run(p_names);
  perform tasklib.promote_due(p_names, v_now, greatest(p_limit, 100));
  perform tasklib.expire_locks(p_names, v_now, greatest(p_limit, 100));

  select coalesce(array_agg(q.name) filter (where not q.keyed), '{}'), array_agg(q.quota) filter (where not q.keyed),
         coalesce(array_agg(q) filter (where q.keyed), '{}'), bool_or(q.rated) filter (where q.keyed)
    into v_names, v_quotas, v_keyed, v_rated
    from tasklib.name_quotas(p_names, p_limit, v_now) as q
   where q.quota > 0;
  -- The call may have waited for the locks of the names' rows. Its runs begin after that wait.
  v_now := tasklib.write_clock();
  foreach v_quota in array v_keyed loop
    v_found := tasklib.take_turns(v_quota.name, v_quota.quota, v_now);
    v_turns := v_turns || v_found;
  end loop;
  if v_names = '{}' and v_turns = '{}' then
    return;
  end if;

  -- If there are several names, count how many tasks of each name are among the first p_limit tasks. The loop below skips
  -- tasks that other claims take meanwhile, and takes other tasks of the same name instead. Tasks of limit keys (v_turns) are
  -- already locked, so they are not exchanged.
  if cardinality(v_names) + cardinality(v_keyed) > 1 then
    select coalesce(array_agg(f.name) filter (where f.turn is null), '{}'), array_agg(f.count) filter (where f.turn is null),
           coalesce(array_agg(f.turn) filter (where f.turn is not null), '{}')
      into v_names, v_quotas, v_turns
      from (
        select c.name, c.turn, count(*)::integer as count
          from (
            select w.name, w.turn
              from (
                select q.name, q.priority, q.id, null::uuid as turn
                  from unnest(v_names, v_quotas) as u (name, quota)
                 cross join lateral (
                   select t.name, t.priority, t.id, row_number() over () as position
                     from tasklib.tasks as t
                    where t.name = u.name
                      and t.ready
                      and t.limit_key is null
                    order by t.priority desc, t.id
                    limit p_limit
                 ) as q
                 where q.position <= u.quota
                union all
                select t.name, t.priority, t.id, t.id
                  from tasklib.tasks as t
                 where t.id = any (v_turns)
              ) as w
             order by w.priority desc, w.id
             limit p_limit
          ) as c
         group by c.name, c.turn
      ) as f;
  end if;

  for i in 1 .. cardinality(v_names) loop
    v_found := array(
      select t.id
        from tasklib.tasks as t
       where t.name = v_names[i]
         and t.ready
         and t.limit_key is null
       order by t.priority desc, t.id
       limit v_quotas[i]
         for update skip locked
    );
    v_ids := v_ids || v_found;
    v_counts := v_counts || cardinality(v_found);
  end loop;
  if v_turns <> '{}' then
    v_ids := v_ids || v_turns;
    select v_names || array_agg(c.name), v_counts || array_agg(c.count)
      into v_names, v_counts
      from (select t.name, count(*)::integer as count from tasklib.tasks as t where t.id = any (v_turns) group by t.name) as c;
  end if;
  if v_ids = '{}' then
    return;
  end if;
  perform tasklib.charge_limits(v_names, v_counts, v_now);
  if v_rated and v_turns <> '{}' then
    perform tasklib.charge_keys(v_turns, v_now);
  end if;

  v_lock := coalesce(p_lock_seconds, tasklib.setting('lock_timeout_seconds')::integer);
  return query
  with claimed as (
    update tasklib.tasks as t
       set state         = 'running',
           ready         = false,
           claim_no      = t.claim_no + 1,
           worker_id     = p_worker_id,
           started_at    = v_now,
           next_retry_at = null,
           locked_until  = v_now + make_interval(secs => v_lock),
           lock_seconds  = v_lock
      from unnest(v_ids) as u (id)
     where t.id = u.id
    returning t.*
  )
  select c.id, c.name, c.claim_no, c.retry_count, c.max_retries, c.timeout_seconds, c.priority,
         c.created_at, c.scheduled_at, c.started_at, c.locked_until, c.kwargs, c.tags
    from claimed as c
   order by c.priority desc, c.id;
end;
$$;

comment on function tasklib.claim_tasks is
$$Claims due tasks of these names for a worker, by priority, then by age. The tasks run until the worker reports them or their lock ends. Returns fewer than p_limit tasks if no more tasks are due or the limits of the names forbid more. If p_lock_seconds is null, the setting lock_timeout_seconds applies.

Also marks tasks as ready if their time has come, and takes tasks of these names from lost workers. After a restart or crash recovery of the server, a worker has the whole time of its lock to extend the lock. The limit keys of a name take turns. The tasks that have their turn compete with tasks of other names by priority, then by age. Concurrent claims get different tasks. Waits for the rows of limited names in tasklib.task_limits and locks them, then locks tasks without waiting. Raises TK403 for a name that the caller may not run, TK404 for a name that is not registered, TK422 for an invalid value.$$;

grant execute on function tasklib.claim_tasks to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/next_claim_in.sql
create or replace function tasklib.next_claim_in(p_names text[])
  returns double precision
  language plpgsql
  stable
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
  v_now timestamptz := tasklib.clock();
begin
  perform tasklib.check_may_run(p_names);
  return (
    select min(case
             when c.running >= r.concurrency_limit then 'infinity'
             when l.opened_until is not null and c.running > 0 then 'infinity'
             else greatest(
               0,
               extract(epoch from l.opened_until - v_now),
               (1 - a.tokens) * r.rate_period_seconds / r.rate_limit,
               case when not w.unkeyed then tasklib.key_opens_in(r.name, v_now) end
             )
           end::double precision)
      from unnest(p_names) as u (name)
      join tasklib.registered_tasks as r
        on r.name = u.name
       and r.limited
       and r.paused_at is null
      left join tasklib.task_limits as l
        on l.name = r.name
     cross join lateral (
       select least(r.rate_limit, l.tokens + extract(epoch from v_now - l.refilled_at) * r.rate_limit / r.rate_period_seconds) as tokens
     ) as a
     cross join lateral (
       select case when r.concurrency_limit is not null or l.opened_until is not null then (
         select count(*)::integer
           from tasklib.tasks as t
          where t.name = r.name
            and t.locked_until is not null
       ) end as running
       offset 0
     ) as c
     cross join lateral (
       select exists (
                select from tasklib.tasks as t where t.name = r.name and t.ready and t.limit_key is null
              ) as unkeyed,
              r.keyed and exists (
                select from tasklib.tasks as t where t.name = r.name and t.ready and t.limit_key is not null
              ) as keyed
       offset 0
     ) as w
     where w.unkeyed
        or w.keyed
  );
end;
$$;

comment on function tasklib.next_claim_in is
$$Returns the seconds until the limits of these names may allow a claim of another ready task. Returns 0 if they allow a claim now, infinity if a running task must end first, and null if no limited name has a ready task.

A worker calls this function after a claim that found fewer tasks than requested. Raises TK403 for a name that the caller may not run, TK404 for a name that is not registered.$$;

grant execute on function tasklib.next_claim_in to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/list_claims.sql
create or replace function tasklib.list_claims(
  p_names      text[],
  p_worker_id  text
)
  returns setof tasklib.claimed_tasks
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  if cardinality(p_names) > 0 is not true or p_worker_id is null then
    raise exception using
      errcode = 'TK422',
      message = 'claims cannot be listed with these arguments',
      detail  = format('names %s, worker %s', left(p_names::text, 200), left(p_worker_id, 100)),
      hint    = 'Pass at least one name, and a worker.';
  end if;
  perform tasklib.check_may_run(p_names);
  return query
  select t.id, t.name, t.claim_no, t.retry_count, t.max_retries, t.timeout_seconds, t.priority,
         t.created_at, t.scheduled_at, t.started_at, t.locked_until, t.kwargs, t.tags
    from unnest(p_names) as u (name)
    join tasklib.tasks as t
      on t.name = u.name
     and t.locked_until is not null
     and t.worker_id = p_worker_id
   order by t.id;
end;
$$;

comment on function tasklib.list_claims is
$$Returns the tasks of these names that a worker has claimed and not yet reported. If the connection of a worker broke during a claim, the worker calls this function to learn which tasks the claim got.

The cost grows with the number of running tasks of these names. Raises TK403 for a name that the caller may not run, TK404 for a name that is not registered, TK422 without names or a worker.$$;

grant execute on function tasklib.list_claims to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/private/check_reports.sql
create or replace function tasklib.check_reports(
  p_worker_id  text,
  p_ids        uuid[],
  p_claim_nos  integer[],
  p_others     integer
)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_worker_id is null
     or cardinality(p_ids) <= 10000 is not true
     or array_ndims(p_ids) > 1
     or cardinality(p_claim_nos) = cardinality(p_ids) is not true
     or p_others <> cardinality(p_ids) then
    raise exception using
      errcode = 'TK422',
      message = 'this is not a valid report about claimed tasks',
      detail  = format('worker %s, %s ids, %s claim numbers', left(p_worker_id, 100), cardinality(p_ids), cardinality(p_claim_nos)),
      hint    = 'Pass the worker and arrays of equal length, at most 10,000: ids, claim numbers, and the function''s other arrays.';
  end if;
end;
$$;

comment on function tasklib.check_reports is
$$Raises TK422 if a report has no worker, or if its arrays of ids and claim numbers differ in length. p_others is the length of another array of the report, which must be the same, or null if that array is absent.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/check_snoozes.sql
create or replace function tasklib.check_snoozes(p_seconds double precision[])
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_seconds double precision := (select u.seconds from unnest(p_seconds) as u (seconds) where u.seconds <> 0 and u.seconds not between 0.001 and 31536000 limit 1);
begin
  if v_seconds is not null then
    raise exception using
      errcode = 'TK422',
      message = format('a snooze of %s seconds is out of bounds', v_seconds),
      hint    = 'A snooze lasts from a millisecond to a year, 31536000 seconds.';
  end if;
end;
$$;

comment on function tasklib.check_snoozes is
$$Raises TK422 if a snooze is shorter than a millisecond or longer than a year. 0 and null mean no snooze, and are allowed.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/check_results.sql
create or replace function tasklib.check_results(
  p_ids      uuid[],
  p_results  jsonb[]
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bytes  integer := tasklib.setting('result_bytes')::integer;
  v_id     uuid;
  v_result jsonb;
begin
  select u.id, u.result
    into v_id, v_result
    from unnest(p_ids, p_results) as u (id, result)
   where pg_column_size(u.result) > v_bytes
   limit 1;
  if found then
    raise exception using
      errcode = 'TK413',
      message = format('the result of task %s is too large', v_id),
      detail  = format('It has %s bytes; the limit is %s.', pg_column_size(v_result), v_bytes),
      hint    = 'Store the data elsewhere and return a reference, or raise the setting result_bytes.';
  end if;

  select u.id
    into v_id
    from unnest(p_ids, p_results) as u (id, result)
   where tasker.is_too_deep(u.result)
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('the result of task %s is nested deeper than 1,000 levels', v_id),
      hint    = 'Flatten it, or return it as a text.';
  end if;
end;
$$;

comment on function tasklib.check_results is
$$Raises TK413 if a result is larger than the setting result_bytes, TK422 if a result is nested deeper than 1,000 levels.$$;
-- <<<

-- >>> db/schema/tasklib/functions/private/report_outcomes.sql
create or replace function tasklib.report_outcomes(
  p_ids        uuid[],
  p_positions  integer[],
  p_outcomes   text[],
  p_outcome    text
)
  returns setof tasklib.task_outcomes
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select o.position, p_ids[o.position], o.outcome
    from (
      select u.position, coalesce(u.outcome, p_outcome) as outcome
        from unnest(p_positions, p_outcomes) as u (position, outcome)
      union all
      -- PostgreSQL can hash "except" even if enable_hashjoin is off.
      (
        select s.position, 'stale'
          from generate_series(1, cardinality(p_ids)) as s (position)
        except
        select u.position, 'stale'
          from unnest(p_positions) as u (position)
      )
    ) as o
   order by o.position;
end;
$$;

comment on function tasklib.report_outcomes is
$$Returns the outcome of each task of a report, in the order of p_ids. A task at one of p_positions has the outcome from p_outcomes, or p_outcome if that is null. Every other task is stale.$$;
-- <<<

-- >>> db/schema/tasklib/functions/complete_tasks.sql
create or replace function tasklib.complete_tasks(
  p_worker_id  text,
  p_ids        uuid[],
  p_claim_nos  integer[],
  p_results    jsonb[]  default null
)
  returns setof tasklib.task_outcomes
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
  v_now       timestamptz := tasklib.write_clock();
  v_caller    text := tasklib.caller_name();
  v_audit     boolean := tasklib.setting('audit_runs')::boolean;
  v_ttl       bigint := tasklib.setting('completed_ttl_seconds')::bigint;
  v_positions integer[];
  v_names     text[];
  v_limited   text[];
begin
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_results));
  perform tasklib.check_results(p_ids, p_results);

  -- Test worker_id, which only a running task has, instead of "state = 'running'". Then the primary key is the only index that
  -- the planner can use.
  with done as (
    update tasklib.tasks as t
       set state        = 'completed',
           completed_at = v_now,
           expires_at   = v_now + make_interval(secs => nullif(coalesce(r.completed_ttl_seconds, v_ttl), 0)),
           locked_until = null,
           worker_id    = null,
           error        = null,
           result       = jsonb_build_object('value', u.result)
      from (
             select g.*
               from unnest(p_ids, p_claim_nos, p_results) with ordinality as g (id, claim_no, result, position)
              order by g.id
           ) as u,
           tasklib.registered_tasks as r
     where t.id = u.id
       and t.claim_no = u.claim_no
       and t.worker_id = p_worker_id
       and r.name = t.name
    returning u.position, t.id, t.claim_no, t.name, t.started_at, r.limited
  ),
  recorded as (
    insert into tasklib.task_runs (task_id, claim_no, name, worker_id, worker_role, started_at, ended_at, outcome)
    select d.id, d.claim_no, d.name, p_worker_id, v_caller, d.started_at, v_now, 'completed'
      from done as d
     where v_audit
  )
  select array_agg(d.position::integer), array_agg(distinct d.name), array_agg(distinct d.name) filter (where d.limited)
    into v_positions, v_names, v_limited
    from done as d;

  perform tasklib.check_may_run(v_names);
  if v_limited is not null then
    update tasklib.task_limits as l
       set failures     = 0,
           opened_until = null
      from unnest(v_limited) as u (name)
     where l.name = u.name
       and (l.failures > 0 or l.opened_until <= v_now)
       and (l.opened_until > v_now) is not true;
  end if;

  return query
  select o.*
    from tasklib.report_outcomes(p_ids, v_positions, null, 'completed') as o;
end;
$$;

comment on function tasklib.complete_tasks is
$$Records results and completes the tasks. Returns an outcome for each task, in the order of the arrays: completed, or stale if the worker no longer has the task under this claim number. A task is stale if the worker lost it or has already reported it, or if it was cancelled. A stale task does not change.

Safe to repeat. Locks the tasks in the order of their ids, then the rows of names with a circuit breaker in tasklib.task_limits. Raises TK403 for tasks that the caller may not run, TK413 if a result is too large, TK422 if the arrays are invalid. After an error no result is recorded.$$;

grant execute on function tasklib.complete_tasks to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/retry_delay.sql
create or replace function tasklib.retry_delay(
  p_retry_count  integer,
  p_base         double precision  default null,
  p_multiplier   double precision  default null
)
  returns double precision
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_base       double precision := coalesce(p_base, tasklib.setting('base_retry_delay_seconds')::double precision);
  v_multiplier double precision := coalesce(p_multiplier, tasklib.setting('retry_backoff_multiplier')::double precision);
  v_max        double precision := tasklib.setting('max_retry_delay_seconds')::double precision;
  v_jitter     double precision := tasklib.setting('retry_jitter')::double precision;
  v_delay      double precision;
begin
  if p_retry_count >= 0 is not true or not v_base >= 0 or not v_multiplier >= 1 then
    raise exception using
      errcode = 'TK422',
      message = 'a delay cannot be computed from these arguments',
      detail  = format('retries %s, base %s, multiplier %s', p_retry_count, p_base, p_multiplier),
      hint    = 'Retries and base must not be negative, the multiplier must be at least 1.';
  end if;
  -- Compare logarithms, because the power may overflow.
  v_delay := case
    when v_base = 0 or v_max = 0 then 0
    when ln(v_base) + p_retry_count * ln(v_multiplier) >= ln(v_max) then v_max
    else v_base * v_multiplier ^ p_retry_count
  end;
  return v_delay * (1 - v_jitter * random());
end;
$$;

comment on function tasklib.retry_delay is
$$Returns the seconds that a task waits for its next run after p_retry_count retries: base × multiplier ^ retries, at most the setting max_retry_delay_seconds. If the setting retry_jitter is above 0, a random share is subtracted. If p_base or p_multiplier is null, the setting applies. The default settings give 5, 10, 20 seconds. Raises TK422 for a negative argument.$$;

grant execute on function tasklib.retry_delay
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
-- <<<

-- >>> db/schema/tasklib/functions/private/count_failures.sql
create or replace function tasklib.count_failures(
  p_names  text[],
  p_now    timestamptz
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  -- A failure after opened_until is the failure of the trial run, and opens the circuit breaker again.
  update tasklib.task_limits as l
     set failures     = l.failures + f.count,
         opened_until = case
           when l.opened_until > p_now then l.opened_until
           when l.opened_until is not null or l.failures + f.count >= r.breaker_failures
             then p_now + make_interval(secs => r.breaker_seconds)
         end
    from (
      select u.name, count(*)::integer as count
        from unnest(p_names) as u (name)
       group by u.name
       order by u.name
    ) as f
    join tasklib.registered_tasks as r
      on r.name = f.name
   where l.name = f.name
     and r.breaker_failures is not null;
end;
$$;

comment on function tasklib.count_failures is
$$Counts a failed run for each element of p_names, and opens the circuit breaker of each name that has reached breaker_failures.$$;
-- <<<

-- >>> db/schema/tasklib/functions/fail_tasks.sql
create or replace function tasklib.fail_tasks(
  p_worker_id            text,
  p_ids                  uuid[],
  p_claim_nos            integer[],
  p_errors               text[],
  p_permanent            boolean[]           default null,
  p_retry_after_seconds  double precision[]  default null
)
  returns setof tasklib.task_outcomes
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
  v_now       timestamptz := tasklib.write_clock();
  v_caller    text := tasklib.caller_name();
  v_audit     boolean := tasklib.setting('audit_runs')::boolean;
  v_length    integer := tasklib.setting('error_bytes')::integer;
  v_ttl       bigint := tasklib.setting('failed_ttl_seconds')::bigint;
  v_positions integer[];
  v_outcomes  text[];
  v_names     text[];
  v_limited   text[];
begin
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_errors));
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_permanent));
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_retry_after_seconds));

  with given as materialized (
    select u.position::integer, t.id, t.claim_no, r.limited,
           t.retry_count < t.max_retries and u.permanent is not true as retries,
           -- Cap a delay that is too long for a timestamp instead of raising an error, because the failure must
           -- be recorded.
           make_interval(secs => least(greatest(coalesce(
             nullif(u.retry_after, 'NaN'),
             tasklib.retry_delay(t.retry_count, r.base_retry_delay_seconds, r.retry_backoff_multiplier)
           ), 0), 31536000)) as delay,
           left(coalesce(u.error, 'no error was given'), v_length) as error,
           coalesce(r.failed_ttl_seconds, v_ttl) as ttl
      from unnest(p_ids, p_claim_nos, p_errors, p_permanent, p_retry_after_seconds)
           with ordinality as u (id, claim_no, error, permanent, retry_after, position)
      join tasklib.tasks as t
        on t.id = u.id
       and t.claim_no = u.claim_no
      join tasklib.registered_tasks as r
        on r.name = t.name
     order by t.id
  ),
  done as (
    update tasklib.tasks as t
       set state         = case when g.retries then 'pending' else 'failed' end::tasklib.task_state,
           ready         = g.retries and g.delay = '0',
           retry_count   = t.retry_count + case when g.retries then 1 else 0 end,
           next_retry_at = case when g.retries then v_now + g.delay end,
           scheduled_at  = case when g.retries then v_now + g.delay else t.scheduled_at end,
           completed_at  = case when g.retries then null else v_now end,
           expires_at    = case when not g.retries then v_now + make_interval(secs => nullif(g.ttl, 0)) end,
           locked_until  = null,
           worker_id     = null,
           error         = g.error
      from given as g
     where t.id = g.id
       and t.claim_no = g.claim_no
       and t.worker_id = p_worker_id
    returning g.position, t.id, t.claim_no, t.name, t.started_at, t.error, g.limited,
              case when g.retries then 'retrying' else 'failed' end as outcome
  ),
  recorded as (
    insert into tasklib.task_runs (task_id, claim_no, name, worker_id, worker_role, started_at, ended_at, outcome, error)
    select d.id, d.claim_no, d.name, p_worker_id, v_caller, d.started_at, v_now, d.outcome, d.error
      from done as d
     where v_audit
  )
  select array_agg(d.position), array_agg(d.outcome), array_agg(distinct d.name),
         array_agg(d.name) filter (where d.limited)
    into v_positions, v_outcomes, v_names, v_limited
    from done as d;

  perform tasklib.check_may_run(v_names);
  if v_limited is not null then
    perform tasklib.count_failures(v_limited, v_now);
  end if;

  return query
  select o.*
    from tasklib.report_outcomes(p_ids, v_positions, v_outcomes, null) as o;
end;
$$;

comment on function tasklib.fail_tasks is
$$Records failed runs of tasks, each with the text of its error. Returns an outcome for each task, in the order of the arrays: retrying, failed or stale. A retrying task is pending again, and is due after p_retry_after_seconds, or after base × multiplier ^ retries seconds if that is null. A task has failed if its retries are used up or p_permanent is true. A stale task does not change (see tasklib.complete_tasks).

Safe to repeat. Locks the tasks, then the rows of names with a circuit breaker in tasklib.task_limits. Raises TK403 for tasks that the caller may not run, TK422 if the arrays are invalid. After an error no failure is recorded.$$;

grant execute on function tasklib.fail_tasks
  to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/release_tasks.sql
create or replace function tasklib.release_tasks(
  p_worker_id       text,
  p_ids             uuid[],
  p_claim_nos       integer[],
  p_snooze_seconds  double precision[]  default null,
  p_reasons         text[]              default null
)
  returns setof tasklib.task_outcomes
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
  v_now       timestamptz := tasklib.write_clock();
  v_caller    text := tasklib.caller_name();
  v_audit     boolean := tasklib.setting('audit_runs')::boolean;
  v_length    integer := tasklib.setting('error_bytes')::integer;
  v_positions integer[];
  v_outcomes  text[];
  v_names     text[];
begin
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_snooze_seconds));
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, cardinality(p_reasons));
  perform tasklib.check_snoozes(p_snooze_seconds);

  with done as (
    update tasklib.tasks as t
       set state        = 'pending',
           ready        = coalesce(u.seconds, 0) = 0,
           scheduled_at = coalesce(v_now + nullif(u.seconds, 0) * interval '1 second', t.scheduled_at),
           locked_until = null,
           worker_id    = null
      from (
             select g.*
               from unnest(p_ids, p_claim_nos, p_snooze_seconds, p_reasons) with ordinality as g (id, claim_no, seconds, reason, position)
              order by g.id
           ) as u
     where t.id = u.id
       and t.claim_no = u.claim_no
       and t.worker_id = p_worker_id
    returning u.position, t.id, t.claim_no, t.name, t.started_at, u.reason,
              case when coalesce(u.seconds, 0) = 0 then 'released' else 'snoozed' end as outcome
  ),
  recorded as (
    insert into tasklib.task_runs (task_id, claim_no, name, worker_id, worker_role, started_at, ended_at, outcome, error)
    select d.id, d.claim_no, d.name, p_worker_id, v_caller, d.started_at, v_now, d.outcome, left(nullif(d.reason, ''), v_length)
      from done as d
     where v_audit
  )
  select array_agg(d.position::integer), array_agg(d.outcome), array_agg(distinct d.name)
    into v_positions, v_outcomes, v_names
    from done as d;

  perform tasklib.check_may_run(v_names);
  perform tasklib.notify_ready(u.name)
     from unnest(v_names) as u (name);
  return query
  select o.*
    from tasklib.report_outcomes(p_ids, v_positions, v_outcomes, null) as o;
end;
$$;

comment on function tasklib.release_tasks is
$$Releases claimed tasks without a result. The tasks become pending, and the run does not count as a retry. A worker that stops releases the tasks that it will not run: they are due again at once. If the handler of a task asks for a snooze, p_snooze_seconds has the time after which the task is due again (at most a year), and p_reasons has the reason, which is kept in the record of the run. Returns an outcome for each task, in the order of the arrays: "released", "snoozed" or "stale".

Safe to repeat. Locks the tasks. Raises TK403 for tasks that the caller may not run, TK422 if the arrays are invalid or a snooze is out of bounds.$$;

grant execute on function tasklib.release_tasks to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/extend_locks.sql
create or replace function tasklib.extend_locks(
  p_worker_id     text,
  p_ids           uuid[],
  p_claim_nos     integer[],
  p_lock_seconds  integer  default null
)
  returns setof tasklib.task_outcomes
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
  v_seconds   integer;
  v_until     timestamptz;
  v_positions integer[];
begin
  perform tasklib.check_reports(p_worker_id, p_ids, p_claim_nos, null);
  if not p_lock_seconds between 1 and 604800 then
    raise exception using
      errcode = 'TK422',
      message = format('a lock cannot last %s seconds', p_lock_seconds),
      hint    = 'A lock lasts 1 second to a week.';
  end if;
  v_seconds := coalesce(p_lock_seconds, tasklib.setting('lock_timeout_seconds')::integer);
  v_until := tasklib.clock() + make_interval(secs => v_seconds);

  with extended as (
    update tasklib.tasks as t
       set locked_until = greatest(t.locked_until, v_until),
           lock_seconds = v_seconds
      from (
             select g.*
               from unnest(p_ids, p_claim_nos) with ordinality as g (id, claim_no, position)
              order by g.id
           ) as u
     where t.id = u.id
       and t.claim_no = u.claim_no
       and t.worker_id = p_worker_id
    returning u.position
  )
  select array_agg(e.position::integer)
    into v_positions
    from extended as e;

  return query
  select o.*
    from tasklib.report_outcomes(p_ids, v_positions, null, 'extended') as o;
end;
$$;

comment on function tasklib.extend_locks is
$$Extends the locks of running tasks until p_lock_seconds from now. A lock that already lasts longer does not become shorter. If p_lock_seconds is null, the setting lock_timeout_seconds applies. Returns an outcome for each task, in the order of the arrays: "extended" or "stale". A stale task no longer belongs to the worker, which should stop running it.

Idempotent. Locks the tasks. Raises TK422 if the arrays are invalid or the time is out of bounds.$$;

grant execute on function tasklib.extend_locks to tasklib_worker;
-- <<<

-- >>> db/schema/tasklib/functions/recover_dead.sql
create or replace function tasklib.recover_dead(
  p_names  text[]   default null,
  p_limit  integer  default 1000
)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  p_limit := coalesce(p_limit, 1000);
  if p_limit between 1 and 100000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 100,000', coalesce(p_limit::text, 'null')),
      hint    = 'One call recovers 1 to 100,000 tasks of each name.';
  end if;
  return tasklib.expire_locks(
    coalesce(p_names, array(select r.name from tasklib.registered_tasks as r order by r.name)), tasklib.clock(), p_limit
  );
end;
$$;

comment on function tasklib.recover_dead is
$$Takes tasks of these names (null means all names) from workers whose lock has ended, at most p_limit tasks of each name, and returns how many. A task becomes pending and runs again from the beginning, which counts as a retry. If its retries are used up, the task becomes failed.

A claim does the same for the names that it claims. This function is for names that no worker claims. Locks the tasks without waiting. Raises TK422 if the limit is out of bounds.$$;

grant execute on function tasklib.recover_dead to tasklib_worker, tasklib_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121002100', 'tasklib/data/notify_setting 78795d98d97d5b97
tasklib/data/settings 4df5ac70d6b1a00a
tasklib/functions/claim_tasks 047a5c838feba796
tasklib/functions/clock f2b814e8e73333cd
tasklib/functions/complete_tasks ea054fe004bd63b0
tasklib/functions/extend_locks 905a8d2f46046b1c
tasklib/functions/fail_tasks 7b91cd3cc4fcba30
tasklib/functions/get_setting cc543a6cc57963c9
tasklib/functions/list_claims 8cf37a9e76fa0265
tasklib/functions/list_settings c91ea5abd81441a8
tasklib/functions/mark_awake 3cf1fe0798623871
tasklib/functions/mark_sleeping bef5a7a6c000b7e2
tasklib/functions/next_claim_in 5e52c64935cf02bd
tasklib/functions/open_writers 96e3b6bc34f6d125
tasklib/functions/private/begin_keys a6f1d8fc390b3931
tasklib/functions/private/caller_name 0390f14ffc4a7e1d
tasklib/functions/private/charge_keys 2d5896cb32a8c181
tasklib/functions/private/charge_limits 40dc2788f515f9a8
tasklib/functions/private/check_may_run 85fa83d59882a38d
tasklib/functions/private/check_reports 97644024f9f589e6
tasklib/functions/private/check_results 86b24b91ae63ba3d
tasklib/functions/private/check_snoozes 03b38a0910869953
tasklib/functions/private/check_submissions 9d58e41b4a12f4b3
tasklib/functions/private/count_failures cb73d9fdc8d92344
tasklib/functions/private/expire_locks 653a165d4ca1b2cd
tasklib/functions/private/expiry bdf0eebdba9518f1
tasklib/functions/private/id_time d230e18322baeecd
tasklib/functions/private/key_opens_in 910484302ffc0c6d
tasklib/functions/private/key_places 27248ac0798027e0
tasklib/functions/private/lock_turns 0b542bc5337d8f4f
tasklib/functions/private/locks_heard_since a749939537f6ddc6
tasklib/functions/private/name_quotas 713f6b4ad6dea236
tasklib/functions/private/notify_ready f512450e67490f08
tasklib/functions/private/promote_due d73276656c5520bb
tasklib/functions/private/raise_name_not_found 082322c379a4ca0e
tasklib/functions/private/raise_task_not_found 9247a2a650edfae2
tasklib/functions/private/report_outcomes d9a4c860cebfbe4d
tasklib/functions/private/setting 8878efce45a89115
tasklib/functions/private/submission_problem 2acf0c045c391bda
tasklib/functions/private/submit_deduplicated 388c0beaa159878a
tasklib/functions/private/take_turns fa7be7183accfae4
tasklib/functions/private/task_id 940e2fb1af92de80
tasklib/functions/private/write_clock 9c9279432512ec9a
tasklib/functions/recover_dead 51b69dffcae17a41
tasklib/functions/release_tasks e7d74a9233be20a4
tasklib/functions/retry_delay 78384dd34f44eec9
tasklib/functions/set_setting 7b11dd8efe550936
tasklib/functions/submit_task 17ae71a58568621c
tasklib/functions/submit_tasks 5d6ae93285e146b3
tasklib/rows/claimed_tasks 194b4c471ec08640
tasklib/rows/name_quotas 92673f492ecc128d
tasklib/rows/task_outcomes f528e33e8a8ca8be
tasklib/rows/task_submissions 93a5dd71bb75cfca
tasklib/tables/key_rates f0d8ce8060127415
tasklib/tables/lock_clock b34bcec628846c16
tasklib/tables/registered_tasks a560d497d3be6a4b
tasklib/tables/settings 09bbe59c63fe57f7
tasklib/tables/sleepers 955d637a0fa4ea2e
tasklib/tables/task_actions 7cc4a764b6042abc
tasklib/tables/task_limits b2e40ec0ee0bafba
tasklib/tables/task_runs 3ab64fa3eebc2f31
tasklib/tables/tasks 3c22658e7b9ecf82
tasklib/types/task_state cb1ee1ffdf1d9ce7
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121002100';

drop function tasklib.recover_dead;
drop function tasklib.extend_locks;
drop function tasklib.release_tasks;
drop function tasklib.fail_tasks;
drop function tasklib.count_failures;
drop function tasklib.retry_delay;
drop function tasklib.complete_tasks;
drop function tasklib.report_outcomes;
drop function tasklib.check_results;
drop function tasklib.check_snoozes;
drop function tasklib.check_reports;
drop function tasklib.list_claims;
drop function tasklib.next_claim_in;
drop function tasklib.claim_tasks;
drop function tasklib.key_opens_in;
drop function tasklib.take_turns;
drop function tasklib.lock_turns;
drop function tasklib.key_places;
drop function tasklib.charge_keys;
drop function tasklib.charge_limits;
drop function tasklib.name_quotas;
drop function tasklib.expire_locks;
drop function tasklib.locks_heard_since;
drop function tasklib.promote_due;
drop function tasklib.expiry;
drop function tasklib.open_writers;
drop function tasklib.mark_awake;
drop function tasklib.mark_sleeping;
drop function tasklib.check_may_run;
drop function tasklib.submit_task;
drop function tasklib.submit_tasks;
drop function tasklib.submit_deduplicated;
drop function tasklib.task_id;
drop function tasklib.id_time;
drop function tasklib.begin_keys;
drop function tasklib.notify_ready;
drop function tasklib.check_submissions;
drop function tasklib.submission_problem;
drop function tasklib.raise_name_not_found;
drop function tasklib.raise_task_not_found;
drop view tasklib.name_quotas;
drop view tasklib.task_outcomes;
drop view tasklib.claimed_tasks;
drop view tasklib.task_submissions;
drop table tasklib.lock_clock;
drop table tasklib.sleepers;
drop table tasklib.task_actions;
drop table tasklib.task_runs;
drop table tasklib.tasks;
drop table tasklib.key_rates;
drop table tasklib.task_limits;
drop table tasklib.registered_tasks;
drop function tasklib.set_setting;
drop function tasklib.list_settings;
drop function tasklib.get_setting;
drop function tasklib.setting;
delete from tasklib.settings where name = 'notify';
delete from tasklib.settings;
drop table tasklib.settings;
drop function tasklib.caller_name;
drop function tasklib.write_clock;
drop function tasklib.clock;
drop type tasklib.task_state;

select tasker.note_objects();

reset role;
