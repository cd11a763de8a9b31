create unlogged table tasker.lease_clock (
  heard_since  timestamptz  not null  default tasker.clock(),
  backend_pid  integer      not null  default pg_backend_pid(),

  constraint lease_clock_pkey
    primary key (heard_since, backend_pid)
);

comment on table tasker.lease_clock is
  'The time since which this server has been reachable without a break. The first claim that finds no row writes a row. The table is unlogged, because PostgreSQL empties unlogged tables in crash recovery and at a promotion, but not at a clean restart. The oldest row counts. Concurrent claims each write a row and do not wait for each other.';
