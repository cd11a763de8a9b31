create table tasker.queue_history (
  bucket          timestamptz       not null,
  namespace       text              not null,
  ready           bigint            not null,
  leased          bigint            not null,
  oldest_seconds  double precision  not null,

  constraint queue_history_pkey
    primary key (bucket, namespace)
);

comment on table tasker.queue_history is
  'The length of each queue of a namespace, minute by minute, as the last measurement in the minute found it. The maintenance duty rollups adds a row for each queue that is not empty. If a minute has no row, the queue was empty or the duty did not run. Rows are kept for a week.';
comment on column tasker.queue_history.oldest_seconds is
  'The number of seconds that the first ready step had waited. 0 if the namespace was paused.';
