create unlogged table tasklib.sleepers (
  name       text collate "C"  not null,
  worker_id  text collate "C"  not null,
  until      timestamptz       not null,

  constraint sleepers_pkey
    primary key (name, worker_id)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

comment on table tasklib.sleepers is
  'Workers that sleep until a notification wakes them, by the names of tasks that they wait for. A submission notifies only if it finds a row here (docs/wakeups.md). The table is empty after a crash, which also ends all connections.';
comment on column tasklib.sleepers.until is
  'A row past this time is ignored, because its worker crashed or did not renew it in time.';
