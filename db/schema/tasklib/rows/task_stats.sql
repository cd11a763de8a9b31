create or replace view tasklib.task_stats as
select
  ''::text as name,
  false::boolean as paused,
  0::bigint as ready,
  0::bigint as waiting,
  0::bigint as running,
  0::bigint as failed,
  null::timestamptz as oldest_ready_at,
  null::timestamptz as breaker_open_until,
  0::bigint as submitted,
  0::bigint as completed,
  0::bigint as retried,
  null::double precision as mean_run_seconds,
  null::double precision as mean_wait_seconds
where false;

comment on view tasklib.task_stats is
  'Row type: the statistics of a name''s tasks. The columns submitted, completed and retried and the mean durations cover only tasks that were submitted in the requested time.';
