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
  'Serves the collection of keys that nothing is charged to.';

comment on table tasker.creation_throttles is
  'How much creation is charged to a key of a template, as one timestamp.';
comment on column tasker.creation_throttles.free_at is
  'The time at which the key will be as if no task had been created. Each task moves this time on by its share of the period.';
comment on column tasker.creation_throttles.queues is
  'Whether tasks wait for their turn. Then free_at may be further ahead than the period.';
