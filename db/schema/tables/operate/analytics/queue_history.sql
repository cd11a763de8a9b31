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
  'How long the queues of a namespace were in a minute: the newest look at them. The maintenance duty rollups adds a row for each queue that is not empty; a minute without a row was empty, or nothing looked. Kept for a week.';
comment on column tasker.queue_history.oldest_seconds is
  'How long the first ready step had waited; 0 while the namespace is paused.';
