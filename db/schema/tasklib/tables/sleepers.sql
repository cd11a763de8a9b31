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
  'The workers that sleep until a notification wakes them, with a row for each name of tasks that a worker waits for. By default a submission notifies only if it finds a row of its name here (docs/wakeups.md). A crash of the server empties the table, and also ends all connections.';
comment on column tasklib.sleepers.until is
  'The end of the mark. Submissions ignore the row after this time, because its worker crashed or did not renew the mark in time.';
