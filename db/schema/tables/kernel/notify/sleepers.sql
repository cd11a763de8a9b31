create unlogged table tasker.sleepers (
  channel       text collate "C"  not null,
  sleeper_uuid  uuid              not null,
  until         timestamptz       not null,

  constraint sleepers_pkey
    primary key (channel, sleeper_uuid)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

comment on table tasker.sleepers is
  'Clients that sleep until a notification wakes them, by the channel that they listen to. A transaction notifies a channel only if it finds a row here (docs/wakeups.md). The table is empty after a crash, which also ends all connections.';
comment on column tasker.sleepers.channel is
  'The channel that wakes the client: the name of a channel, or tasker_task_events with a dot and the UUID of the one task whose changes matter.';
comment on column tasker.sleepers.until is
  'The time until which the row counts. After this time the row is ignored, because its client crashed or did not renew it in time.';
