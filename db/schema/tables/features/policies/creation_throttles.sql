create table tasker.creation_throttles (
  namespace     text         not null,
  task_name     text         not null,
  throttle_key  text         not null,
  free_at       timestamptz  not null,
  queues        boolean      not null  default false,

  constraint creation_throttles_pkey
    primary key (namespace, task_name, throttle_key)
);

create index creation_throttles_free_idx
  on tasker.creation_throttles (free_at);

comment on index tasker.creation_throttles_free_idx is
  'Serves the deletion of keys to which nothing is charged any longer.';

comment on table tasker.creation_throttles is
  'The task creations that are charged to a key of a template, as one timestamp.';
comment on column tasker.creation_throttles.free_at is
  'The time from which earlier creations no longer count for the key. Each task advances this time by its share of the period.';
comment on column tasker.creation_throttles.queues is
  'Whether tasks that exceed the rate wait for their turn. If so, free_at may be further ahead of now than the period.';
