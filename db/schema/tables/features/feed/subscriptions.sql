create table tasker.subscriptions (
  subscription     text         not null,
  namespaces       text[],
  templates        text[],
  kinds            text[]       not null,
  events           text[],
  to_states        text[],
  target           jsonb,
  snapshot         pg_snapshot  not null,
  snapshot_at      timestamptz  not null,
  since            timestamptz,
  until            pg_snapshot,
  until_at         timestamptz,
  window_no        bigint       not null  default 0,
  place_at         timestamptz,
  place_task_uuid  uuid,
  place_step_no    integer,
  place_sort_key   integer,
  list_no          bigint       not null  default 0,
  list_end         bigint       not null  default 0,
  last_key         tasker.feed_keys,
  slice_seconds    double precision  not null  default 60,
  reader_uuid      uuid,
  reader           text,
  leased_until     timestamptz,
  delivered        bigint       not null  default 0,
  dead             bigint       not null  default 0,
  failures         integer      not null  default 0,
  last_error       text,
  last_error_at    timestamptz,
  next_attempt_at  timestamptz,
  placed_at        timestamptz  not null,
  created_at       timestamptz  not null,
  created_by       text         not null,
  updated_at       timestamptz  not null,
  updated_by       text         not null,

  constraint subscriptions_pkey
    primary key (subscription),
  constraint subscriptions_subscription_check
    check (subscription ~ '^[a-z][a-z0-9_-]{0,47}$'),
  constraint subscriptions_until_check
    check ((until is null) = (until_at is null)),
  constraint subscriptions_place_check
    check (num_nulls(place_task_uuid, place_step_no, place_sort_key) in (0, 3) and (place_task_uuid is null or place_at is not null))
);

comment on table tasker.subscriptions is
  'The subscriptions to the feed and their progress. Events themselves are not stored: they are read from the transition logs.';
comment on column tasker.subscriptions.snapshot is
  'The snapshot up to which the reader has come: it has read all events that this snapshot sees. Events of transactions that the snapshot does not see are still to be delivered.';
comment on column tasker.subscriptions.since is
  'The time from which a replay delivers events. Null after all events of the replay were delivered.';
comment on column tasker.subscriptions.until is
  'The snapshot at which the present window ends. The window has the events that this snapshot sees and the column snapshot does not see, in the order of time. Null between windows.';
comment on column tasker.subscriptions.place_at is
  'The place in the window up to which all events were acknowledged or do not pass the filter.';
comment on column tasker.subscriptions.list_no is
  'The first row of tasker.feed_lists that has events behind the place. If this equals list_end, there is no such row.';
comment on column tasker.subscriptions.last_key is
  'The last event of the window. Null until it was found. The window ends when the place reaches this event.';
comment on column tasker.subscriptions.slice_seconds is
  'The span of time, in seconds, that one query of a long window covers. The span adapts to the number of events that a query finds.';
comment on column tasker.subscriptions.reader_uuid is
  'The only process that may read until leased_until.';
comment on column tasker.subscriptions.placed_at is
  'The time when the subscription was created or last replayed. Partitions that were dropped before that time do not count as missed.';
