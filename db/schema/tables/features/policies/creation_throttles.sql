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
  'When it will be as if nothing had been created. Each task puts it on by the period''s share.';
comment on column tasker.creation_throttles.queues is
  'Whether tasks wait for their turn: then free_at may be further ahead than the period.';
