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
  'The state of each limited name. A claim of the name locks its row, so that a limit is never exceeded.';
comment on column tasklib.task_limits.tokens is
  'Claims that the rate still allowed at refilled_at. These claims are replenished evenly, up to the rate limit.';
comment on column tasklib.task_limits.failures is
  'Failed runs since the last one that succeeded.';
comment on column tasklib.task_limits.opened_until is
  'Not null while the circuit breaker is open: no task is claimed before this time, and one at a time after it, until a run succeeds.';
comment on column tasklib.task_limits.last_key is
  'The limit key that had its turn last. Empty for the tasks without a key.';
