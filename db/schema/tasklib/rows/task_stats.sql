create table tasklib.task_stats (
  name                text              not null,
  paused              boolean           not null,
  ready               bigint            not null,
  waiting             bigint            not null,
  running             bigint            not null,
  failed              bigint            not null,
  oldest_ready_at     timestamptz,
  breaker_open_until  timestamptz,
  submitted           bigint            not null,
  completed           bigint            not null,
  retried             bigint            not null,
  mean_run_seconds    double precision,
  mean_wait_seconds   double precision,

  constraint task_stats_row_type_check
    check (false) no inherit
);

comment on table tasklib.task_stats is
  'Row type: the statistics of a name''s tasks. Ended tasks and durations are counted only among those submitted in the requested time.';

revoke all on table tasklib.task_stats from public;
