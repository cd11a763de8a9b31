create unlogged table tasklib.lock_clock (
  heard_since        timestamptz  not null  default tasklib.clock(),
  backend_pid        integer      not null  default pg_backend_pid(),
  server_started_at  timestamptz  not null  default pg_postmaster_start_time(),

  constraint lock_clock_pkey
    primary key (heard_since, backend_pid)
);

comment on table tasklib.lock_clock is
  'The time since which this server has been reachable without a break. The oldest row that the running server has written has this time. A claim that finds no row of the running server writes a row. The table is unlogged, because PostgreSQL empties an unlogged table in crash recovery and at a promotion. Concurrent claims write one row each and do not wait for each other.';
comment on column tasklib.lock_clock.server_started_at is
  'The time when the server that wrote the row started. A clean restart keeps the rows of the table, but rows from before the restart do not count.';
