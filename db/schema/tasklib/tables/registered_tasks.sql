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
