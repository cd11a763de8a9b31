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
